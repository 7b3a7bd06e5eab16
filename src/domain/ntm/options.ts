import type * as Zod from "zod";

/**
 * When a spawn, save or kill counts as done: `post`, once it has succeeded, or `pre`, as soon as it is allowed. `post` is
 * the stricter value, so a project may set `post` but not `pre`.
 */
export function markOnOption(z: typeof Zod) {
  return z
    .enum(["pre", "post"])
    .default("post")
    .describe("When spawns, saves and kills count: once they succeeded (`post`) or when they are allowed (`pre`).")
    .meta({ tighter: "up", order: ["pre", "post"] });
}
