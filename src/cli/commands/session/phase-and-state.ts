import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import type { Json } from "../../../core/event.ts";
import { declaredPhases, phaseText, readPhase, requiredProof, withPhase } from "../../../domain/session/phases.ts";
import { LIFECYCLES, type SessionState, textsIn, withFields } from "../../../domain/session/state.ts";
import { system } from "../../../system/system.ts";
import type { SessionAccess } from "./session-access.ts";
import { sessionUsageError } from "./start-session.ts";

/** `[DIR] "LABEL: NAME"`, with the proof of the previous phase on standard input. */
export async function phase(access: SessionAccess, args: readonly string[]): Promise<number> {
  const [typed, text] = args.length > 1 ? args : [undefined, args[0]];
  const to = readPhase(text ?? "");
  if (!to) throw sessionUsageError('a phase is written as "LABEL: NAME", such as "2: Build" or "2.1: Tests"');
  const { dir, state: before } = access.session(typed);
  const needsProof = before.currentPhase !== undefined;
  const proof = needsProof ? await access.input() : "";
  const approved = String(access.context.options["user-approved"] ?? "");
  const state = access.write((store, save) => {
    const next = withPhase(store.get(dir) ?? {}, { to, proof, approved, now: access.now });
    const commands = commandDocuments(access, next, to.label);
    const pending = [...new Set([...textsIn(next, "pendingCommands"), ...commands])];
    const ready = pending.length > 0 ? withFields(next, { pendingCommands: pending }) : next;
    save(dir, ready);
    return ready;
  });
  const declared = declaredPhases(state);
  const source = declared.find(({ label }) => label === to.label)?.source ?? {};
  const lines = [
    `Phase: ${phaseText(to)}`,
    ...textsIn(source, "steps").map((step, index) => `${index + 1}. ${step}`),
    ...textsIn(source, "invariants").map((one) => `Always: ${one}`),
  ];
  const keys = requiredProof(to, declared);
  if (keys.length > 0)
    lines.push(`Proof needed before the next phase: ${keys.join(", ")} (as \`key: value\` lines on standard input)`);
  access.context.out(lines.join("\n"));
  return 0;
}

/** The documents of the commands that a phase names, by path or by the name of a person's own command. */
function commandDocuments(access: SessionAccess, state: SessionState, label: string): string[] {
  const source = declaredPhases(state).find((one) => one.label === label)?.source ?? {};
  const home = access.context.env.HOME ?? "/";
  return textsIn(source, "commands").flatMap((name) => {
    const bare = name.replace(/^\//, "");
    const places = [
      path.resolve(access.project, name),
      path.join(home, ".claude", "commands", `${bare}.md`),
      path.join(home, ".claude", "engine", "commands", `${bare}.md`),
    ];
    return places.filter((file) => system.info(file)?.kind === "file").slice(0, 1);
  });
}

const NUMBERS = /^(?:contextUsage|toolCallsSinceLastLog|toolUse\w+After|directive\w+|pid)$/;
const FLAGS = /^(?:loading|overflowed|killRequested|fastTrack|\w*[cC]heckPassed)$/;
const LISTS =
  /^(?:directives|phases|phaseHistory|completedSkills|pending\w+|preloadedFiles|\w+Checklists|requestFiles|searchKeywords|nextSkills)$/;

/** `DIR FIELD VALUE`; the value is checked against the field's type. */
export async function update(
  access: SessionAccess,
  [typed, field, value, ...more]: readonly string[],
): Promise<number> {
  if (field === undefined || value === undefined || more.length > 0)
    throw sessionUsageError("update needs a folder, a field and a value");
  if (!/^[A-Za-z]\w*$/.test(field) || field === "__proto__")
    throw sessionUsageError(`\`${field}\` is not the name of a field`);
  const { dir } = access.session(typed);
  const next = valueFor(field, value);
  access.write((store, save) => save(dir, withFields(store.get(dir) ?? {}, { [field]: next })));
  access.context.out(`${field} = ${JSON.stringify(next)}`);
  return 0;
}

function valueFor(field: string, text: string): Json {
  const parsed = parse(text);
  const wrong = (expected: string) =>
    new HookwrightError("HW_SESSION_INPUT", {
      detail: `\`${field}\` should be ${expected}, not \`${text}\`.`,
      hint: "Give it another value",
    });
  if (field === "lifecycle" && !LIFECYCLES.some((name) => name === text))
    throw wrong(`one of ${LIFECYCLES.join(", ")}`);
  if (NUMBERS.test(field) && typeof parsed !== "number") throw wrong("a number");
  if (FLAGS.test(field) && typeof parsed !== "boolean") throw wrong("true or false");
  if (LISTS.test(field) && !Array.isArray(parsed)) throw wrong("a list in JSON");
  const isTyped = NUMBERS.test(field) || FLAGS.test(field) || LISTS.test(field);
  return isTyped || (typeof parsed === "object" && parsed !== null) ? (parsed ?? text) : text;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    // Most values are plain words and not JSON.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function target(access: SessionAccess, [typed, file, ...more]: readonly string[]): Promise<number> {
  if (file === undefined || more.length > 0) throw sessionUsageError("target needs a folder and a file");
  const { dir } = access.session(typed);
  access.write((store, save) => save(dir, withFields(store.get(dir) ?? {}, { targetFile: file })));
  access.context.out(`Target: ${file}`);
  return 0;
}

/** Prints the folder of the caller's session; exit code 1 when it has none. */
export async function findSession(access: SessionAccess): Promise<number> {
  const found = access.read((store) => store.find(access.who));
  const { json } = access.context.options;
  if (json) access.context.out(JSON.stringify(found ?? null));
  else if (found) access.context.out(found.dir);
  return found ? 0 : 1;
}
