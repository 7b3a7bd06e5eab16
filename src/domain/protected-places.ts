import path from "node:path";
import type { Places } from "../core/policy.ts";
import { type MovedPlaces, NOT_MOVED } from "../core/ports.ts";
import { literalPrefix, mayMatchName, mayMatchPath } from "../shell/expand/may-match.ts";

const KEY_STORES = [".ssh", ".gnupg", ".aws/credentials", ".netrc", ".pgpass", ".kube/config"];
const PRIVATE_KEY = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/;
/** A project's configuration, found by walking up from the working directory. */
const PROJECT_CONFIG = "hookwright.yml";
/** The folder of a project's own policies. Protected at any level, because a later session may start in a subfolder. */
const POLICY_FOLDER = ".hookwright";

export type ProtectedReason = "own" | "git" | "key" | "listed";

export interface ProtectionContext {
  readonly places: Places;
  readonly project: string;
  /** More places, absolute or relative to the project. */
  readonly also: readonly string[];
  realPath(path: string): string;
  /** The places whose real path differs (through links), with their real paths; cached. */
  movedPlaces(places: readonly string[]): MovedPlaces;
  exists(path: string): boolean;
}

/**
 * Why a path must not be written; undefined when it may be. The path as written is checked first, because that needs no
 * disk access; resolving links can only add reasons.
 */
export function protectedReason(target: string, world: ProtectionContext): ProtectedReason | undefined {
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

/** The same check without disk access. */
export function protectedAsWritten(target: string, world: ProtectionContext): ProtectedReason | undefined {
  return reasonByName(target) ?? reasonByPlace(target, guardedPlaces(world).places);
}

/** Does an unparsable line mention the guard's own places? Only then is it worth a question. */
export function mentionsGuard(command: string): boolean {
  return /hookwright|\.claude|\.git\b|\.ssh|\.gnupg/.test(command);
}

interface GuardedPlace {
  readonly place: string;
  /** The prefix of every path inside the place. */
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
  /** The guard's own places, which are lost when a folder above them is removed. */
  readonly own: readonly string[];
  readonly places: readonly GuardedPlace[];
  /** The same array object as long as the places are the same, so that it can be a cache key. */
  readonly names: readonly string[];
}

/** Cache, keyed by the list of the agent's settings files, which is the same object at every event. */
const guardedBy = new WeakMap<readonly string[], Guarded>();

/** Cached, because it is needed for every written path, and one line may write to thousands of files. */
function guardedPlaces({ places, also, project }: ProtectionContext): Guarded {
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

/** File names that are protected in every folder. */
const KEYS = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"];
const NAMES = [PROJECT_CONFIG, POLICY_FOLDER, ".git", ...KEYS];

/** A shell pattern, or a name that is only partly known. */
export interface PathPattern {
  readonly text: string;
  /** True: the shell matches it against existing files. False: it stands for a name that is not known yet. */
  readonly isGlob: boolean;
  readonly takesFolders: boolean;
}

/** A protected place that the pattern may hit. */
export function protectedByPattern(pattern: PathPattern, world: ProtectionContext): string | undefined {
  const fixed = literalPrefix(pattern.text);
  const real = world.realPath(fixed);
  const texts = real === fixed ? [pattern.text] : [pattern.text, real + pattern.text.slice(fixed.length)];
  for (const text of texts) {
    const found = placeMeant({ ...pattern, text }, world);
    if (found !== undefined) return found;
  }
  return undefined;
}

function placeMeant({ text, isGlob, takesFolders }: PathPattern, { places, project, also, exists }: ProtectionContext) {
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
  // Names that are protected in every folder count only where such a file exists.
  const folder = path.dirname(text);
  if (folder !== fixed) return undefined;
  const named = NAMES.filter((name) => mayMatchName(path.basename(text), name)).map((name) => path.join(folder, name));
  return named.find(exists);
}

/** Is one path equal to the other or above it? A cheap test before the pattern itself is matched. */
function isOnOneWay(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short) && (short.endsWith("/") || long.length === short.length || long[short.length] === "/");
}

/** Does the folder contain one of the guard's own places? `rm -r ~/.claude` also removes the settings. */
export function containsOwnPlace(folder: string, world: ProtectionContext): boolean {
  const isAbove = (place: string): boolean =>
    place.length > folder.length &&
    place.startsWith(folder) &&
    (folder.endsWith(path.sep) || place[folder.length] === path.sep);
  return guardedPlaces(world).own.some(isAbove);
}
