import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import {
  checkOpenItems as checkSession,
  debriefFile,
  missingToClose,
  withCompleted,
  withIdle,
  withLastProof,
} from "../../../domain/session/closing.ts";
import { currentPhase, declaredPhases, requiredProof } from "../../../domain/session/phases.ts";
import { textIn, withFields } from "../../../domain/session/state.ts";
import { system } from "../../../system/system.ts";
import type { Desk } from "./desk.ts";

const LARGEST_DOCUMENT = 4 * 1024 * 1024;

async function description(desk: Desk, what: string): Promise<string> {
  const text = (await desk.input()).trim();
  if (text !== "") return text;
  throw new HookwrightError("HW_SESSION_INPUT", {
    detail: `To ${what} a session, say what was done and what is left.`,
    hint: "Give the description on standard input",
  });
}

export async function idle(desk: Desk, [typed]: readonly string[]): Promise<number> {
  const { dir } = desk.session(typed);
  const text = await description(desk, "idle");
  desk.write((store, save) => save(dir, withIdle(store.get(dir) ?? {}, text)));
  desk.context.out(`Idle: ${dir}. \`engine session continue ${dir}\` continues it.`);
  return 0;
}

export async function deactivate(desk: Desk, [typed]: readonly string[]): Promise<number> {
  const { dir } = desk.session(typed);
  const text = await description(desk, "deactivate");
  const words = String(desk.context.options.keywords ?? "").split(",");
  const keywords = words.map((word) => word.trim()).filter((word) => word !== "");
  desk.write((store, save) => {
    const before = store.get(dir) ?? {};
    const missing = missingToClose(dir, before, fs.existsSync);
    if (missing.length > 0)
      throw new HookwrightError("HW_SESSION_OPEN", { list: missing.map((one) => `- ${one}`).join("\n") });
    save(dir, withCompleted(withLastProof(before, text), text, keywords));
  });
  desk.context.out(`Completed: ${dir}`);
  return 0;
}

/** Shows what the debrief needs, or writes it from standard input. */
export async function debrief(desk: Desk, [typed]: readonly string[]): Promise<number> {
  const { dir, state } = desk.session(typed);
  const file = debriefFile(dir, state);
  const text = await desk.input();
  if (text.trim() !== "") {
    fs.writeFileSync(file, text.endsWith("\n") ? text : `${text}\n`);
    desk.context.out(`Written: ${file}`);
    return 0;
  }
  const template = textIn(state, "debriefTemplate");
  const keys = requiredProof(currentPhase(state), declaredPhases(state));
  desk.context.out(
    [
      `Write the debrief to ${file}.`,
      ...(template === "" ? [] : [`Its template is ${template}.`]),
      "Say what was asked, what was done, what was decided and why, and what is left.",
      ...(keys.length > 0 ? [`Its phase still needs proof of: ${keys.join(", ")}.`] : []),
      ...missingToClose(dir, state, fs.existsSync).map((one) => `- ${one}`),
    ].join("\n"),
  );
  return 0;
}

/** Lists open tags, checklists and requests. Answers to checklists come on standard input. */
export async function check(desk: Desk, [typed]: readonly string[]): Promise<number> {
  const { dir, state } = desk.session(typed);
  const answers = await desk.input();
  const read = (file: string): string | undefined =>
    system.readText(path.resolve(desk.context.cwd, file), LARGEST_DOCUMENT);
  const names = fs.readdirSync(dir).filter((name) => name.endsWith(".md"));
  const documents = new Map(
    names.flatMap((name): [string, string][] => {
      const file = path.join(dir, name);
      const text = read(file);
      return text === undefined ? [] : [[file, text]];
    }),
  );
  const { tags, checklists, requests } = checkSession({ documents, state, answers, read });
  const problems = [...tags, ...checklists, ...requests];
  desk.write((store, save) =>
    save(
      dir,
      withFields(store.get(dir) ?? {}, {
        checkPassed: problems.length === 0,
        tagCheckPassed: tags.length === 0,
        requestCheckPassed: requests.length === 0,
      }),
    ),
  );
  if (problems.length === 0) {
    desk.context.out(`There are no open tags, checklists or requests in ${dir}.`);
    return 0;
  }
  desk.context.out(problems.join("\n"));
  if (checklists.length > 0)
    desk.context.out("Answer a checklist by giving its items back on standard input, each as `- [x] …` or `- [-] …`.");
  return 1;
}
