import fs from "node:fs";
import path from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import {
  assertNotOwned,
  leaveOtherSessions,
  ownershipFields,
  readParameters,
  withActivation,
} from "../../../domain/session/activation.ts";
import { DIRECTIVE_TYPES, discoverDirectives } from "../../../domain/session/directives.ts";
import { logFile } from "../../../domain/session/heartbeat.ts";
import { currentPhase, declaredPhases, requiredProof } from "../../../domain/session/phases.ts";
import { sessionName } from "../../../domain/session/sessions.ts";
import { lifecycleOf, type SessionState, textIn, textsIn, withFields } from "../../../domain/session/state.ts";
import { tagsIn } from "../../../domain/session/tags.ts";
import { makeFolder } from "../../../system/make-folder.ts";
import { system } from "../../../system/system.ts";
import type { SessionAccess } from "./session-access.ts";
import { takeHandover } from "./take-handover.ts";

const MOST_RELATED = 8;

export async function createFolder(access: SessionAccess, [typed]: readonly string[]): Promise<number> {
  const dir = access.folder(typed);
  makeFolder(dir);
  access.context.out(dir);
  return 0;
}

export async function activate(access: SessionAccess, [typed, skill, ...more]: readonly string[]): Promise<number> {
  const { context, who, now } = access;
  const dir = access.folder(typed);
  if (skill === undefined || !/^[\w:./-]{1,64}$/.test(skill) || more.length > 0)
    throw sessionUsageError("activate needs a folder and a skill");
  const { options } = context;
  const parameters = readParameters(await access.input());
  const given = {
    dir,
    skill,
    parameters,
    who,
    fleetPane: String(options["fleet-pane"] ?? ""),
    targetFile: String(options["target-file"] ?? ""),
    approved: String(options["user-approved"] ?? ""),
    fastTrack: options["fast-track"] === true,
    now,
    isAlive: system.isAlive,
  };
  makeFolder(dir);
  const { state, left } = access.write((store, save) => {
    const next = withActivation(store.get(dir), given);
    const others = leaveOtherSessions(store, dir, who);
    for (const other of others) save(other.dir, other.state);
    save(dir, next);
    return { state: next, left: others.map((other) => sessionName(other.dir)) };
  });
  context.out(
    [...headOf(dir, state), ...left.map((name) => `Left: ${name}`), ...relatedInformation(access, dir, state)].join(
      "\n",
    ),
  );
  return 0;
}

export async function continueSession(access: SessionAccess, [typed]: readonly string[]): Promise<number> {
  const named = access.context.options.session;
  const { dir } = access.session(typed ?? (typeof named === "string" ? named : undefined));
  const { state, handover } = access.write((store, save, also) => {
    const taken = takeHandover(access, dir, store.get(dir) ?? {}, also);
    const before = taken.state;
    assertNotOwned(before, dir, access.who, system.isAlive);
    for (const other of leaveOtherSessions(store, dir, access.who)) save(other.dir, other.state);
    const next = withFields(before, {
      ...ownershipFields(access.who),
      lifecycle: "active",
      loading: false,
      overflowed: false,
      killRequested: false,
      restartPrompt: undefined,
      lastHeartbeat: new Date(access.now).toISOString(),
    });
    save(dir, next);
    return { state: next, handover: taken.text };
  });
  access.context.out([...headOf(dir, state, "continued"), ...handover].join("\n"));
  return 0;
}

function headOf(dir: string, state: SessionState, what = "active"): string[] {
  const phase = currentPhase(state);
  const proof = requiredProof(phase, declaredPhases(state));
  return [
    `Session ${sessionName(dir)} is ${what}. Skill: ${textIn(state, "skill")}. Lifecycle: ${lifecycleOf(state)}.`,
    `Folder: ${dir}`,
    ...(phase ? [`Phase: ${textIn(state, "currentPhase")}`] : []),
    ...(proof.length > 0 ? [`Proof needed before the next phase: ${proof.join(", ")}`] : []),
    `Log: ${logFile(dir, state)} (write it with \`engine log\`)`,
  ];
}

/** Information for a new session: alerts, open delegations, related sessions, and directives in the folders of the work. */
function relatedInformation(access: SessionAccess, dir: string, state: SessionState): string[] {
  const documents = documentsIn(path.dirname(dir));
  const tagged = documents.flatMap(({ file, text }) => tagsIn(text).map((tag) => ({ ...tag, file })));
  const alerts = tagged.filter(({ tag }) => tag === "#active-alert").map(({ file }) => `Alert: ${file}`);
  const open = tagged.filter(({ tag }) => /^#(?:needs|delegated|next)-/.test(tag));
  const delegations = open.map(({ file, line, tag }) => `Open: ${tag} in ${file}:${line}`);
  const directives = textsIn(state, "directoriesOfInterest").flatMap((folder) => {
    const place = {
      file: path.resolve(access.context.cwd, folder, "x"),
      cwd: access.context.cwd,
      project: access.project,
    };
    const found = discoverDirectives(
      { ...place, userHome: access.context.env.HOME ?? "/" },
      {},
      DIRECTIVE_TYPES,
      system,
    );
    return [...(found?.directives ?? []), ...(found?.checklists ?? [])];
  });
  return [
    ...new Set([
      ...alerts,
      ...delegations.slice(0, MOST_RELATED),
      ...related(dir).map((name) => `Related: ${name}`),
      ...[...new Set(directives)].map((file) => `Directive: ${file}`),
    ]),
  ];
}

/** Sessions whose names share a word with this one. */
function related(dir: string): string[] {
  const words = (name: string): string[] =>
    name
      .toUpperCase()
      .split(/[^A-Z]+/)
      .filter((word) => word.length > 3);
  const own = new Set(words(sessionName(dir)));
  const others = fs.readdirSync(path.dirname(dir)).filter((name) => name !== sessionName(dir));
  return others.filter((name) => words(name).some((word) => own.has(word))).slice(-MOST_RELATED);
}

function documentsIn(folder: string): { file: string; text: string }[] {
  const names = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.flatMap(({ name }) =>
    fs
      .readdirSync(path.join(folder, name))
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) => {
        const full = path.join(folder, name, file);
        const text = system.readText(full, 1024 * 1024);
        return text === undefined ? [] : [{ file: full, text }];
      }),
  );
}

export function sessionUsageError(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "session" });
}
