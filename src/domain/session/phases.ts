import { HookwrightError } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/event.ts";
import { isObject } from "../../core/event.ts";
import { withCountsReset } from "./heartbeat.ts";
import { objectIn, type SessionState, textIn, textsIn, withFields } from "./state.ts";

/** A phase. Its label gives its place in the order: `2`, `2.1`, `3.A`, `3.A.1`. */
export interface Phase {
  readonly label: string;
  readonly parts: readonly string[];
  readonly name: string;
}

const WRITTEN = /^(?:Phase\s+)?(\d+(?:\.[A-Za-z0-9]+)*)\s*:\s*(\S.*)$/s;

export function readPhase(text: string): Phase | undefined {
  const [, label, name] = WRITTEN.exec(text.trim()) ?? [];
  return label === undefined || name === undefined ? undefined : { label, parts: label.split("."), name: name.trim() };
}

export interface DeclaredPhase extends Phase {
  readonly source: JsonObject;
}

export function declaredPhases(state: SessionState): DeclaredPhase[] {
  const list = Array.isArray(state.phases) ? (state.phases as readonly Json[]) : [];
  return list.filter(isObject).flatMap((source) => {
    const label = labelOf(source);
    return label === "" ? [] : [{ label, parts: label.split("."), name: textIn(source, "name"), source }];
  });
}

function labelOf(phase: JsonObject): string {
  const { label, major, minor } = phase;
  if (typeof label === "string" || typeof label === "number") return String(label);
  if (typeof major !== "number") return "";
  return minor === undefined || minor === 0 || minor === "" ? String(major) : `${major}.${minor}`;
}

export const majorOf = ({ parts }: Phase): number => Number(parts[0]);
export const phaseText = ({ label, name }: Phase): string => `${label}: ${name}`;

/** The current phase; undefined before the first one. */
export function currentPhase(state: SessionState): Phase | undefined {
  return readPhase(textIn(state, "currentPhase"));
}

/** Why the step to this phase is out of order; undefined when it is allowed. */
export function phaseOrderProblem(
  from: Phase | undefined,
  to: Phase,
  declared: readonly DeclaredPhase[],
): string | undefined {
  if (declared.length === 0 || from?.label === to.label) return undefined;
  const isDeclared = declared.some(({ label }) => label === to.label);
  if (!from)
    return to.label === declared[0]?.label ? undefined : `The first phase is ${phaseText(declared[0] as Phase)}.`;
  if (majorOf(to) === majorOf(from)) {
    const [one = "", other = ""] = [from.parts[1], to.parts[1]];
    const isSwitch = /^[A-Za-z]$/.test(one) && /^[A-Za-z]$/.test(other) && one !== other;
    return isSwitch ? `Branch ${from.parts[0]}.${one} was chosen; ${phaseText(to)} is another branch.` : undefined;
  }
  const next = [...new Set(declared.map(majorOf))].sort((a, b) => a - b).find((major) => major > majorOf(from));
  if (isDeclared && majorOf(to) === next) return undefined;
  const expected = declared.find((phase) => majorOf(phase) === next);
  const hint = expected ? ` The next phase is ${phaseText(expected)}.` : ` ${phaseText(from)} is the last phase.`;
  return `${phaseText(to)} does not follow ${phaseText(from)}.${isDeclared ? "" : " It is not a declared phase."}${hint}`;
}

/** The keys of the proof that is required before the phase is left. */
export function requiredProof(phase: Phase | undefined, declared: readonly DeclaredPhase[]): string[] {
  const source = declared.find(({ label }) => label === phase?.label)?.source ?? {};
  if (isObject(source.proof)) return Object.keys(source.proof);
  return [...textsIn(source, "proof")];
}

/** Reads `key: value` lines for these keys; throws when one is missing, empty or only a placeholder. */
export function readProof(keys: readonly string[], text: string, phase: Phase): Record<string, string> {
  const given = new Map(
    text.split("\n").flatMap((line): [string, string][] => {
      const [, key, value] = /^\s*(?:[-*]\s+)?([^:]+?)\s*:\s*(.*)$/.exec(line) ?? [];
      return key === undefined ? [] : [[key, (value ?? "").trim()]];
    }),
  );
  const missing = keys.filter((key) => /^[_\s]*$/.test(given.get(key) ?? ""));
  if (missing.length > 0) {
    throw new HookwrightError("HW_SESSION_INPUT", {
      detail: `${phaseText(phase)} cannot be left without its proof. Missing, empty or only a placeholder: ${missing.join(", ")}.`,
      hint: `Give each as a line \`key: value\` on standard input: ${keys.join(", ")}`,
    });
  }
  return Object.fromEntries(keys.map((key) => [key, given.get(key) ?? ""]));
}

export interface PhaseStep {
  readonly to: Phase;
  readonly proof: string;
  readonly approved: string;
  readonly now: number;
}

/** The state in its next phase; throws when the phase is out of order or the proof is incomplete. */
export function withPhase(state: SessionState, { to, proof, approved, now }: PhaseStep): SessionState {
  const declared = declaredPhases(state);
  const from = currentPhase(state);
  const detail = phaseOrderProblem(from, to, declared);
  if (detail !== undefined && approved === "") throw new HookwrightError("HW_SESSION_APPROVAL", { detail });
  const keys = from && from.label !== to.label ? requiredProof(from, declared) : [];
  const shownProof = from && keys.length > 0 ? { [from.label]: readProof(keys, proof, from) } : {};
  const history = Array.isArray(state.phaseHistory) ? state.phaseHistory : [];
  const isNew = declared.length > 0 && !declared.some(({ label }) => label === to.label);
  const fresh = withCountsReset(state);
  return withFields(fresh, {
    currentPhase: phaseText(to),
    phaseHistory: [...history, phaseText(to)],
    loading: false,
    lastHeartbeat: new Date(now).toISOString(),
    provenItems: { ...objectIn(state, "provenItems"), ...shownProof },
    ...(isNew ? { phases: withUndeclared(state, to) } : {}),
    ...(approved === "" ? {} : { approvals: [...textsIn(state, "approvals"), `${phaseText(to)}: ${approved}`] }),
  });
}

/** Inserts the phase after the last one with the same major number. */
function withUndeclared(state: SessionState, phase: Phase): Json[] {
  const list = Array.isArray(state.phases) ? [...(state.phases as readonly Json[])] : [];
  const same = list.map((one) => isObject(one) && labelOf(one).split(".")[0] === phase.parts[0]);
  const at = same.lastIndexOf(true);
  list.splice(at < 0 ? list.length : at + 1, 0, { label: phase.label, name: phase.name });
  return list;
}
