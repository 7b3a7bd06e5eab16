import { HookwrightError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { declaredPhases, phaseText } from "./phases.ts";
import type { Identity, Sessions } from "./sessions.ts";
import { pidOf, type SessionState, textIn, textsIn, withFields } from "./state.ts";

/** A skill that gives parameters must give all of them, so that none is forgotten by mistake. */
export const PARAMETERS = [
  "taskType",
  "taskSummary",
  "scope",
  "directoriesOfInterest",
  "contextPaths",
  "planTemplate",
  "logTemplate",
  "debriefTemplate",
  "requestTemplate",
  "responseTemplate",
  "requestFiles",
  "nextSkills",
  "extraInfo",
  "phases",
] as const;

const LISTS = new Set(["directoriesOfInterest", "contextPaths", "requestFiles", "nextSkills", "phases"]);

/** The parameters on standard input; undefined when there are none. */
export function readParameters(text: string): JsonObject | undefined {
  if (text.trim() === "") return undefined;
  const wrong = (detail: string) =>
    new HookwrightError("HW_SESSION_INPUT", {
      detail: `The parameters on standard input cannot be used: ${detail}.`,
      hint: `Give one JSON object with ${PARAMETERS.join(", ")}, or nothing at all`,
    });
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : "they are not JSON");
  }
  if (!isObject(value)) throw wrong("they are not a JSON object");
  const given = value;
  const missing = PARAMETERS.filter((name) => given[name] === undefined);
  if (missing.length > 0) throw wrong(`missing: ${missing.join(", ")}`);
  const notLists = PARAMETERS.filter((name) => LISTS.has(name) && !Array.isArray(given[name]) && given[name] !== null);
  if (notLists.length > 0) throw wrong(`not a list: ${notLists.join(", ")}`);
  return value;
}

export interface Activation {
  readonly dir: string;
  readonly skill: string;
  readonly parameters: JsonObject | undefined;
  readonly who: Identity;
  readonly fleetPane: string;
  readonly targetFile: string;
  readonly approved: string;
  readonly fastTrack: boolean;
  readonly now: number;
  isAlive(pid: number): boolean;
}

/** The state of the session after its activation; throws when it may not be activated. */
export function withActivation(before: SessionState | undefined, given: Activation): SessionState {
  const state = before ?? {};
  assertNotOwned(state, given.dir, given.who, given.isAlive);
  const { skill, approved, fastTrack } = given;
  if (textsIn(state, "completedSkills").includes(skill) && skill !== "do" && !fastTrack && approved === "") {
    throw new HookwrightError("HW_SESSION_APPROVAL", { detail: `${skill} was already completed in this session.` });
  }
  const isAnother = textIn(state, "skill") !== "" && textIn(state, "skill") !== skill;
  const kept = isAnother ? withFields(state, CLEARED) : state;
  const { phases: _own, ...others } = given.parameters ?? {};
  const phases = given.parameters?.phases ?? kept.phases;
  const next = withFields(kept, {
    ...others,
    ...(Array.isArray(phases) ? { phases } : {}),
    ...ownershipFields(given.who),
    ...(given.fleetPane === "" ? {} : { fleetPaneId: given.fleetPane }),
    ...(given.targetFile === "" ? {} : { targetFile: given.targetFile }),
    skill,
    lifecycle: "active",
    overflowed: false,
    killRequested: false,
    fastTrack,
    restartPrompt: undefined,
    startedAt: textIn(state, "startedAt") || new Date(given.now).toISOString(),
    lastHeartbeat: new Date(given.now).toISOString(),
    ...(approved === "" ? {} : { approvals: [...textsIn(state, "approvals"), `${skill}: ${approved}`] }),
    // The first phase call ends the loading; without declared phases no such call comes.
    loading: Array.isArray(phases) && phases.length > 0,
    pendingTemplates: templatesOf(given.parameters),
  });
  const [first] = declaredPhases(next);
  if (!first || textIn(next, "currentPhase") !== "") return next;
  return withFields(next, { currentPhase: phaseText(first), phaseHistory: [phaseText(first)] });
}

const CLEARED: Readonly<Record<string, undefined>> = {
  phases: undefined,
  phaseHistory: undefined,
  currentPhase: undefined,
  provenItems: undefined,
  checkPassed: undefined,
  tagCheckPassed: undefined,
  requestCheckPassed: undefined,
  injectedRules: undefined,
  toolCallsByTranscript: undefined,
  toolCallsSinceLastLog: undefined,
};

function templatesOf(parameters: JsonObject | undefined): Json {
  const template = parameters ? textIn(parameters, "logTemplate") : "";
  return template === "" ? [] : [template];
}

export function ownershipFields({ session, pid, pane }: Identity): Record<string, Json | undefined> {
  return {
    ...(pid === undefined ? {} : { pid }),
    sessionId: session === "" ? undefined : session,
    tmuxPane: pane === "" ? undefined : pane,
  };
}

export function assertNotOwned(
  state: SessionState,
  dir: string,
  who: Identity,
  isAlive: (pid: number) => boolean,
): void {
  const owner = pidOf(state);
  if (owner === undefined || owner === who.pid || !isAlive(owner)) return;
  if (who.session !== "" && textIn(state, "sessionId") === who.session) return;
  throw new HookwrightError("HW_SESSION_OWNED", { dir, pid: owner });
}

/** The other sessions that this agent was in, with their states after it has left them: an agent is in one session. */
export function leaveOtherSessions(
  store: Sessions,
  dir: string,
  who: Identity,
): { dir: string; state: SessionState }[] {
  const marks = [store.find({ ...who, pid: undefined }), store.find({ ...who, session: "" }), store.ofPane(who.pane)];
  const others = new Map(marks.flatMap((found) => (found && found.dir !== dir ? [[found.dir, found.state]] : [])));
  return [...others].map(([other, state]) => ({
    dir: other,
    state: withFields(state, {
      pid: pidOf(state) === who.pid ? undefined : (state.pid as Json),
      sessionId: textIn(state, "sessionId") === who.session ? undefined : (state.sessionId as Json),
      tmuxPane: textIn(state, "tmuxPane") === who.pane ? undefined : (state.tmuxPane as Json),
      fleetPaneId: textIn(state, "tmuxPane") === who.pane && who.pane !== "" ? undefined : (state.fleetPaneId as Json),
    }),
  }));
}
