import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";
import { isWithin } from "../loss/harmless.ts";
import type { IsInside } from "./listed-command.ts";

/**
 * Does this word, read as a path, name something in the project or in the folder that the agent works in? Links are
 * followed. A folder that has the person's home folder in it is no project.
 */
export function insideProject(cwd: string, { actor, places, realPath }: PolicyContext): IsInside {
  const home = realPath(places.userHome);
  const roots = [actor.project, cwd].map((root) => realPath(root)).filter((root) => !isWithin(home, root));
  return (word) => {
    const real = realPath(path.resolve(cwd, word));
    return roots.some((root) => isWithin(real, root));
  };
}
