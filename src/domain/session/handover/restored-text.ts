import type { Handover } from "./handover.ts";

interface About {
  readonly name: string;
  readonly dir: string;
  readonly skill: string;
  readonly phase: string;
  /** The document with the full hand-over. */
  readonly file: string;
}

/** Less than the default context budget of a session start, so that the text is never cut there. */
const BUDGET = 5_400;
const LEAST_PER_FILE = 200;
const MOST = { summary: 1_500, lastAction: 500, nextSteps: 1_000, handoverInstructions: 800 } as const;

/** The context of a new run: the hand-over and the required files, each cut to fit the budget. */
export function restoredText(
  handover: Handover,
  about: About,
  files: readonly { readonly name: string; readonly text: string | undefined }[],
): { readonly head: string; readonly files: string } {
  const part = (title: string, field: keyof typeof MOST, text: string): string[] =>
    text === "" ? [] : [`${title}${cut(text, MOST[field], about.file)}`];
  const steps = handover.nextSteps.map((step) => `\n- ${step}`).join("");
  const head = [
    `This run continues the work session \`${about.name}\` in ${about.dir} (skill: ${about.skill || "none"}, phase: ${about.phase || "none"}). What the run before handed over:`,
    ...part("Summary: ", "summary", handover.summary),
    ...part("Last action: ", "lastAction", handover.lastAction),
    ...part("Next steps:", "nextSteps", steps),
    ...part("Instructions: ", "handoverInstructions", handover.handoverInstructions),
    ...(files.length === 0 ? [] : [`Required files: ${files.map(({ name }) => name).join(", ")}`]),
  ].join("\n\n");
  return { head, files: filesText(files, Math.min(4_000, BUDGET - head.length)) };
}

/** The contents of the files, each cut to its share of the budget. */
export function filesText(
  files: readonly { readonly name: string; readonly text: string | undefined }[],
  most: number,
): string {
  let room = most;
  const contents = files.map(({ name, text }, index) => {
    if (text === undefined) return `\n\n--- ${name}: it cannot be read`;
    const share = Math.max(LEAST_PER_FILE, Math.floor(room / (files.length - index)) - name.length);
    const shown = `\n\n--- ${name}\n${cut(text.trimEnd(), share, name)}`;
    room -= shown.length;
    return shown;
  });
  return contents.join("");
}

function cut(text: string, most: number, file: string): string {
  if (text.length <= most) return text;
  const ending = ` […] (read ${file} for the rest)`;
  return `${text.slice(0, most - ending.length).replace(/\s\S*$/, "")}${ending}`;
}
