import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import {
  examineTranscript,
  type FindingKind,
  surveyTranscript,
  type TranscriptFinding,
} from "../../../domain/transcript/check-transcript.ts";
import type { CommandContext } from "../../command.ts";
import { openTranscript, type TranscriptFile, writeCopy } from "./transcript-file.ts";

/** In a terminal, more findings than these are only counted. */
const MOST_SHOWN = 100;

interface TranscriptReport {
  readonly ok: boolean;
  readonly file: string;
  /** How many messages the transcript has. */
  readonly messages: number;
  readonly findings: readonly TranscriptFinding[];
  readonly counts: Readonly<Record<FindingKind, number>>;
  /** The last line is half written and was left alone. */
  readonly cutLastLine: boolean;
  /** The repaired copy; null when none was asked for. */
  readonly repaired: string | null;
  /** How many lines differ in the copy. */
  readonly repairedLines: number;
}

export function runTranscript({ args, options, cwd, out }: CommandContext): number {
  const [action, name, more] = args;
  const wrong = (detail: string): HookwrightError => new HookwrightError("HW_USAGE", { detail, command: "transcript" });
  if (action !== "check") throw wrong(action ? `\`${action}\` is no action of it.` : "Say what to do: `check FILE`.");
  if (name === undefined) throw wrong("Name the transcript to check.");
  if (more !== undefined) throw wrong("Only one transcript is checked at a time.");
  const file = path.resolve(cwd, name);
  const copy = typeof options.repair === "string" ? path.resolve(cwd, options.repair) : undefined;
  const transcript = openTranscript(file);
  try {
    if (copy !== undefined && transcript.isSame(copy)) {
      throw wrong(`\`${options.repair}\` is the transcript itself, which is only read. Name a new file for the copy.`);
    }
    const report = check(file, transcript, copy);
    out(options.json ? JSON.stringify(report) : show(report));
    return report.ok ? 0 : 1;
  } finally {
    transcript.close();
  }
}

function check(file: string, transcript: TranscriptFile, copy: string | undefined): TranscriptReport {
  const survey = surveyTranscript(transcript.lines());
  const findings: TranscriptFinding[] = [];
  let repairedLines = 0;
  const examine = (add?: (bytes: Buffer | string) => void): void => {
    for (const { line, findings: found, repaired } of examineTranscript(transcript.lines(), survey)) {
      for (const finding of found) findings.push(finding);
      if (repaired !== undefined) repairedLines++;
      add?.(repaired ?? line.bytes);
    }
  };
  if (copy === undefined) examine();
  else writeCopy(copy, examine);
  const count = (kind: FindingKind): number => findings.filter((finding) => finding.kind === kind).length;
  return {
    ok: findings.length === 0,
    file,
    messages: survey.messages.size,
    findings,
    counts: {
      "no-thinking": count("no-thinking"),
      "empty-message": count("empty-message"),
      "blank-text": count("blank-text"),
      unreadable: count("unreadable"),
    },
    cutLastLine: survey.isCut,
    repaired: copy ?? null,
    repairedLines: copy === undefined ? 0 : repairedLines,
  };
}

const TEXTS: Readonly<Record<FindingKind, (finding: TranscriptFinding) => string>> = {
  "no-thinking": ({ model }) => `the message of ${model} does not begin with thinking`,
  "empty-message": ({ role }) => `the message of the ${role} has no text and no tool part`,
  "blank-text": ({ role }) => `a text in the message of the ${role} is blank`,
  unreadable: () => "the line is no JSON",
};

function show({ file, messages, findings, cutLastLine, repaired, repairedLines }: TranscriptReport): string {
  const shown = findings
    .slice(0, MOST_SHOWN)
    .map((finding) => `${file}:${finding.line}: ${TEXTS[finding.kind](finding)}`);
  if (findings.length > MOST_SHOWN) shown.push(`… and ${findings.length - MOST_SHOWN} more; --json prints all.`);
  const found = findings.length === 0 ? "nothing to repair" : `${plural(findings.length, "finding")}`;
  const lines = [...shown, `${plural(messages, "message")}, ${found}.`];
  if (cutLastLine) lines.push("The last line is half written, so it was left alone.");
  if (repaired !== null) lines.push(`Wrote a copy with ${plural(repairedLines, "repaired line")} to ${repaired}.`);
  return lines.join("\n");
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
