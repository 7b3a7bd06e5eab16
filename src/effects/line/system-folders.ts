import { posix } from "node:path";
import type { Scene } from "../effect.ts";

const SYSTEM =
  /^\/(?:bin|boot|dev|etc|home|lib\d*|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|Applications|Library|System|Users|Volumes|private|cores)(?:\/(?:bin|lib\d*|sbin|share|local|log|cache|spool|www|etc|var))?$/;

/** The root, a home folder, and the top folders of a system. */
export function isSystemFolder(path: string, scene: Pick<Scene, "userHome">): boolean {
  const whole = posix.normalize(path).replace(/(?<=.)\/$/, "");
  if (whole === "/" || whole === scene.userHome || whole === posix.dirname(scene.userHome)) return true;
  if (/^\/(?:home|Users)\/[^/]+$/.test(whole)) return true;
  return SYSTEM.test(whole);
}
