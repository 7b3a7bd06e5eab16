import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import {
  checkOpenItems,
  debriefFile,
  missingToClose,
  withCompleted,
  withIdle,
  withLastProof,
} from "../../../domain/session/closing.ts";
import { currentPhase, declaredPhases, requiredProof } from "../../../domain/session/phases.ts";
import { textIn, withFields } from "../../../domain/session/state.ts";
import { system } from "../../../system/system.ts";
import type { SessionAccess } from "./session-access.ts";

const LARGEST_DOCUMENT = 4 * 1024 * 1024;

async function description(access: SessionAccess, what: string): Promise<string> {
  const text = (await access.input()).trim();
  if (text !== "") return text;
  throw new HookwrightError("HW_SESSION_INPUT", {
    detail: `To ${what} a session, say what was done and what is left.`,
    hint: "Give the description on standard input",
  });
}

export async function idle(access: SessionAccess, [typed]: readonly string[]): Promise<number> {
  const { dir } = access.session(typed);
  const text = await description(access, "idle");
  access.write((store, save) => save(dir, withIdle(store.get(dir) ?? {}, text)));
  access.context.out(`Idle: ${dir}. \`engine session continue ${dir}\` continues it.`);
  return 0;
}

export async function deactivate(access: SessionAccess, [typed]: readonly string[]): Promise<number> {
  const { dir } = access.session(typed);
  const text = await description(access, "deactivate");
  const words = String(access.context.options.keywords ?? "").split(",");
  const keywords = words.map((word) => word.trim()).filter((word) => word !== "");
  access.write((store, save) => {
    const before = store.get(dir) ?? {};
    const missing = missingToClose(dir, before, fs.existsSync);
    if (missing.length > 0)
      throw new HookwrightError("HW_SESSION_OPEN", { list: missing.map((one) => `- ${one}`).join("\n") });
    save(dir, withCompleted(withLastProof(before, text), text, keywords));
  });
  access.context.out(`Completed: ${dir}`);
  return 0;
}

/** Shows what the debrief needs, or writes it from standard input. */
export async function debrief(access: SessionAccess, [typed]: readonly string[]): Promise<number> {
  const { dir, state } = access.session(typed);
  const file = debriefFile(dir, state);
  const text = await access.input();
  if (text.trim() !== "") {
    fs.writeFileSync(file, text.endsWith("\n") ? text : `${text}\n`);
    access.context.out(`Written: ${file}`);
    return 0;
  }
  const template = textIn(state, "debriefTemplate");
  const keys = requiredProof(currentPhase(state), declaredPhases(state));
  access.context.out(
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
export async function checkSession(access: SessionAccess, [typed]: readonly string[]): Promise<number> {
  const { dir, state } = access.session(typed);
  const answers = await access.input();
  const read = (file: string): string | undefined =>
    system.readText(path.resolve(access.context.cwd, file), LARGEST_DOCUMENT);
  const names = fs.readdirSync(dir).filter((name) => name.endsWith(".md"));
  const documents = new Map(
    names.flatMap((name): [string, string][] => {
      const file = path.join(dir, name);
      const text = read(file);
      return text === undefined ? [] : [[file, text]];
    }),
  );
  const { tags, checklists, requests } = checkOpenItems({ documents, state, answers, read });
  const problems = [...tags, ...checklists, ...requests];
  access.write((store, save) =>
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
    access.context.out(`There are no open tags, checklists or requests in ${dir}.`);
    return 0;
  }
  access.context.out(problems.join("\n"));
  if (checklists.length > 0)
    access.context.out(
      "Answer a checklist by giving its items back on standard input, each as `- [x] …` or `- [-] …`.",
    );
  return 1;
}
