import type * as Zod from "zod";

/** `gate`: the agent has to read found directive files. `inject`: their content is put into the context. */
export function directivesOption(z: typeof Zod) {
  return z
    .enum(["inject", "gate"])
    .default("gate")
    .describe("Directive files that were found are asked for (`gate`) or put into the context (`inject`).")
    .meta({ tighter: "up", order: ["inject", "gate"] });
}

export const REQUIRED_ENV = "SESSION_REQUIRED";

/** `environment`: a session is required where SESSION_REQUIRED=1 is set, as a wrapper does. `always`: in every run. */
export function requiredOption(z: typeof Zod) {
  return z
    .enum(["environment", "always"])
    .default("environment")
    .describe(
      "Where work needs a session: where SESSION_REQUIRED=1 is set (`environment`), or in every run (`always`).",
    )
    .meta({ tighter: "up", order: ["environment", "always"] });
}

export function isRequired(ctx: {
  readonly options: { readonly required: string };
  env(name: string): string | undefined;
}): boolean {
  return ctx.options.required === "always" || ctx.env(REQUIRED_ENV) === "1";
}
