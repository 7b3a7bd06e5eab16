import path from "node:path";
import type { Places } from "../core/policy.ts";
import { type MovedPlaces, NOT_MOVED } from "../core/ports.ts";
import { literalPrefix, mayMatchName, mayMatchPath } from "../shell/expand/may-match.ts";

const KEY_STORES = [".ssh", ".gnupg", ".aws/credentials", ".netrc", ".pgpass", ".kube/config"];
const PRIVATE_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/;
/** A project's configuration, found by walking up from the working directory. */
const PROJECT_CONFIG = "hookwright.yml";
/** A project's own policies; which folder is a project's root depends on where the next session begins. */
const POLICY_FOLDER = ".hookwright";

export type ProtectedReason = "own" | "git" | "key" | "listed";

export interface Protected {
  readonly places: Places;
  readonly project: string;
  /** More places, absolute or relative to the project. */
  readonly also: readonly string[];
  realPath(path: string): string;
  /** Of many places at once those that lie elsewhere, which is not looked up every time. */
  movedPlaces(places: readonly string[]): MovedPlaces;
  exists(path: string): boolean;
}

/**
 * Why a path must not be written, if it must not. As it is written first: that needs no look at the disk, and a link
 * may only add to what is protected.
 */
export function protectedReason(target: string, world: Protected): ProtectedReason | undefined {
  const guarded = guardedPlaces(world);
  const written = protectedAsWritten(target, world);
  if (written) return written;
  const real = world.realPath(target);
  const linked = real === target ? undefined : (reasonByName(real) ?? reasonByPlace(real, guarded.places));
  if (linked) return linked;
  const moved = world.movedPlaces(guarded.names);
  if (moved === NOT_MOVED) return undefined;
  const elsewhere = guarded.places.flatMap(({ place, reason }) => {
    const lies = moved[place];
    return lies === undefined ? [] : [guardedPlace(lies, reason)];
  });
  return reasonByPlace(real, elsewhere);
}

/** The same without a look at the disk. */
export function protectedAsWritten(target: string, world: Protected): ProtectedReason | undefined {
  return reasonByName(target) ?? reasonByPlace(target, guardedPlaces(world).places);
}

/** A line nobody can read is only worth a question when it seems to be about the guard. */
export function mentionsGuard(command: string): boolean {
  return /hookwright|\.claude|\.git\b|\.ssh|\.gnupg/.test(command);
}

interface GuardedPlace {
  readonly place: string;
  /** What everything inside begins with. */
  readonly inside: string;
  readonly reason: ProtectedReason;
}

interface Guarded {
  readonly home: string;
  readonly runtimeDir: string;
  readonly personConfig: string;
  readonly userHome: string;
  readonly project: string;
  readonly also: readonly string[];
  /** What goes with a folder around it. */
  readonly own: readonly string[];
  readonly places: readonly GuardedPlace[];
  /** The same list as long as it is the same places. */
  readonly names: readonly string[];
}

/** By the agent's settings files, of which an agent has the same list at every event. */
const guardedBy = new WeakMap<readonly string[], Guarded>();

/** A line may write to thousands of files, and every edit of every agent is about some. */
function guardedPlaces({ places, also, project }: Protected): Guarded {
  const { home, runtimeDir, personConfig, userHome, agentSettings } = places;
  const known = guardedBy.get(agentSettings);
  if (
    known?.home === home &&
    known.runtimeDir === runtimeDir &&
    known.personConfig === personConfig &&
    known.userHome === userHome &&
    known.project === project &&
    known.also === also
  )
    return known;
  const guarded = [
    ...[home, runtimeDir, personConfig, ...agentSettings].map((place) => guardedPlace(place, "own")),
    ...KEY_STORES.map((store) => guardedPlace(`${userHome}/${store}`, "key")),
    ...also.map((place) => guardedPlace(path.resolve(project, place), "listed")),
  ];
  const made: Guarded = {
    ...{ home, runtimeDir, personConfig, userHome, project, also },
    own: [home, personConfig, ...agentSettings],
    places: guarded,
    names: guarded.map(({ place }) => place),
  };
  guardedBy.set(agentSettings, made);
  return made;
}

function guardedPlace(place: string, reason: ProtectedReason): GuardedPlace {
  return { place, inside: place.endsWith(path.sep) ? place : place + path.sep, reason };
}

function reasonByPlace(target: string, guarded: readonly GuardedPlace[]): ProtectedReason | undefined {
  for (const { place, inside, reason } of guarded) if (target === place || target.startsWith(inside)) return reason;
  return undefined;
}

function reasonByName(target: string): ProtectedReason | undefined {
  const name = target.slice(target.lastIndexOf(path.sep) + 1);
  if (name === PROJECT_CONFIG || hasPart(target, POLICY_FOLDER)) return "own";
  if (hasPart(target, ".git")) return "git";
  return PRIVATE_KEY.test(name) ? "key" : undefined;
}

function hasPart(target: string, part: string): boolean {
  return target.includes(part) && target.split(path.sep).includes(part);
}

/** Protected wherever they are. */
const KEYS = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"];
const NAMES = [PROJECT_CONFIG, POLICY_FOLDER, ".git", ...KEYS];

/** A pattern of the shell, or any name in a folder. */
export interface Pattern {
  readonly text: string;
  /** It is matched against what there is; otherwise it stands for a name that nobody knows yet. */
  readonly isGlob: boolean;
  readonly takesFolders: boolean;
}

/** The protected place that a pattern may mean. */
export function protectedByPattern(pattern: Pattern, world: Protected): string | undefined {
  const fixed = literalPrefix(pattern.text);
  const real = world.realPath(fixed);
  const texts = real === fixed ? [pattern.text] : [pattern.text, real + pattern.text.slice(fixed.length)];
  for (const text of texts) {
    const found = placeMeant({ ...pattern, text }, world);
    if (found !== undefined) return found;
  }
  return undefined;
}

function placeMeant({ text, isGlob, takesFolders }: Pattern, { places, project, also, exists }: Protected) {
  const files = [places.personConfig, ...places.agentSettings];
  const folders = [
    places.home,
    ...KEY_STORES.map((store) => path.join(places.userHome, store)),
    ...also.map((place) => path.resolve(project, place)),
  ];
  const fixed = literalPrefix(text);
  const isMeant = (place: string, isFile: boolean): boolean => {
    if (!isOnOneWay(place, fixed)) return false;
    const reach = mayMatchPath(text, place);
    return reach === "it" || (reach === "inside" && !isFile) || (reach === "above" && takesFolders);
  };
  const place = files.find((one) => isMeant(one, true)) ?? folders.find((one) => isMeant(one, false));
  if (place !== undefined || !isGlob) return place;
  // Names that any folder may have count only where there is such a one.
  const folder = path.dirname(text);
  if (folder !== fixed) return undefined;
  const named = NAMES.filter((name) => mayMatchName(path.basename(text), name)).map((name) => path.join(folder, name));
  return named.find(exists);
}

/** Is one of the two the other one, or in it? What is written out before a pattern is there as it is. */
function isOnOneWay(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short) && (short.endsWith("/") || long.length === short.length || long[short.length] === "/");
}

/** Our own place above a folder that is removed or moved as a whole: `rm -r ~/.claude` takes the settings with it. */
export function containsOwnPlace(folder: string, world: Protected): boolean {
  const isAbove = (place: string): boolean =>
    place.length > folder.length &&
    place.startsWith(folder) &&
    (folder.endsWith(path.sep) || place[folder.length] === path.sep);
  return guardedPlaces(world).own.some(isAbove);
}
