/** Permissions mean nothing to root, so tests of them run as somebody else there. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { DIST } from "./world.ts";

const NOBODY = 65534;

/** The user to run as: undefined for the one who runs the tests. */
export const ordinaryUser = process.getuid?.() === 0 ? NOBODY : undefined;

/** Why the tests of permissions cannot run; empty when they can. */
export const noOrdinaryUser = ordinaryUser === undefined ? "" : reasonAgainst(ordinaryUser);

function reasonAgainst(uid: number): string {
  const script = `require("node:fs").readFileSync(${JSON.stringify(path.join(DIST, "engine.cjs"))})`;
  const done = spawnSync(process.execPath, ["-e", script], { uid, gid: uid, cwd: "/" });
  if (done.status === 0) return "";
  return `tests of permissions are skipped: they run as root, and user ${uid} cannot read ${DIST}`;
}

/** Why no small file system can be mounted for a test; empty when one can. */
export const noMount = ((): string => {
  const done = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/mnt"]);
  return done.status === 0 ? "" : "tests of a full disk are skipped: `unshare -rm mount` does not work here";
})();
