import type * as Zod from "zod";

/** `gate`: the agent has to read what was found. `inject`: it is put into the context without a question. */
export function directivesOption(z: typeof Zod) {
  return z
    .enum(["inject", "gate"])
    .default("gate")
    .describe("Directive files that were found are asked for (`gate`) or put into the context (`inject`).")
    .meta({ tighter: "up", order: ["inject", "gate"] });
}
