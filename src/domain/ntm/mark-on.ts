import type * as Zod from "zod";

/**
 * When a spawn, save or kill counts as done: `post`, once it has run and succeeded, or `pre`, as soon as it is
 * allowed. A project may ask for proof but not do without it.
 */
export function markOn(z: typeof Zod) {
  return z
    .enum(["pre", "post"])
    .default("post")
    .describe("When spawns, saves and kills count: once they succeeded (`post`) or when they are allowed (`pre`).")
    .meta({ tighter: "up", order: ["pre", "post"] });
}
