import path from "node:path";
import type { Places } from "../core/policy.ts";

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
}

/**
 * Why a path must not be written, if it must not. As it is written first: that needs no look at the disk, and a link
 * may only add to what is protected.
 */
export function protectedReason(target: string, world: Protected): ProtectedReason | undefined {
  const plain = (place: string): string => place;
  const written = reasonFor(target, world, plain);
  if (written) return written;
  const real = world.realPath(target);
  return reasonFor(real, world, plain) ?? reasonFor(real, world, (place) => world.realPath(place));
}

function reasonFor(target: string, world: Protected, resolve: (place: string) => string): ProtectedReason | undefined {
  const { places } = world;
  const isAt = (place: string): boolean => isWithin(target, resolve(place));
  const own = [places.home, places.runtimeDir, places.personConfig, ...places.agentSettings];
  const parts = target.split(path.sep);
  if (path.basename(target) === PROJECT_CONFIG || parts.includes(POLICY_FOLDER) || own.some(isAt)) return "own";
  if (parts.includes(".git")) return "git";
  if (PRIVATE_KEY.test(path.basename(target))) return "key";
  if (KEY_STORES.some((store) => isAt(path.join(places.userHome, store)))) return "key";
  if (world.also.some((place) => isAt(path.resolve(world.project, place)))) return "listed";
  return undefined;
}

/** Our own place above a folder that is removed or moved as a whole: `rm -r ~/.claude` takes the settings with it. */
export function containsOwnPlace(folder: string, { places }: Protected): boolean {
  const own = [places.home, places.personConfig, ...places.agentSettings];
  return own.some((place) => place !== folder && isWithin(place, folder));
}

function isWithin(target: string, place: string): boolean {
  return target === place || target.startsWith(place.endsWith(path.sep) ? place : place + path.sep);
}
