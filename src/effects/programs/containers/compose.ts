import type { Command, Word } from "../../../shell/command.ts";
import { type OptionSpec, readOptions } from "../../../shell/options.ts";
import { type Effect, KNOWN_HARMLESS } from "../../effect.ts";
import { type Rule, rulesEffects } from "../../program-rules.ts";

const VOLUMES = "removes volumes with their data";

export const COMPOSE_RULES: readonly Rule[] = [
  ["down", VOLUMES, { needs: "v volumes", instead: "run it without the option that removes volumes" }],
  ["rm", VOLUMES, { needs: "v volumes" }],
];
export const COMPOSE_VALUES = "t timeout";

/** Before the subcommand `-f` names a file, behind it means force. */
const GLOBAL: OptionSpec = {
  short: "f:p:",
  long: "file: project-name: profile: env-file: project-directory: parallel: progress: ansi: compatibility dry-run verbose",
};

/** The same command without the options before its subcommand. */
export function withoutGlobalOptions(command: Command): Command {
  const { operands, given } = readOptions(command.argv.slice(1), GLOBAL, false);
  const dry = given.has("dry-run") ? [{ text: "--dry-run", known: true }] : [];
  return { ...command, argv: [...command.argv.slice(0, 1), ...operands, ...dry] };
}

/** `docker compose …` */
export function composeEffects(words: readonly Word[], command: Command): readonly Effect[] {
  const { argv } = withoutGlobalOptions({ ...command, argv: [...command.argv.slice(0, 1), ...words] });
  if (argv.some(({ text }) => text === "--dry-run")) return KNOWN_HARMLESS;
  const table = { kind: "destroy-container-data", values: COMPOSE_VALUES } as const;
  return rulesEffects(table, COMPOSE_RULES, { ...command, argv });
}
