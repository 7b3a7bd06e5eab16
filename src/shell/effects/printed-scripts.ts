import type { Command } from "../command.ts";
import { SHELLS } from "../launchers.ts";
import { readShellArguments } from "../shell-arguments.ts";
import type { Effect, Scene } from "./effect.ts";

const PRINTERS = /^(?:python[\d.]*|node|nodejs|perl|ruby|php|lua|awk|gawk|mawk|deno|bun)$/;

/** A shell that reads what a one-liner of another language prints, or what a variable tells it to do on the side. */
export function printedScripts(scene: Scene): readonly Effect[] {
  return scene.shell.commands.flatMap((command) => {
    if (!SHELLS.has(command.program ?? "") || command.uncertain.includes("uncalled")) return [];
    const told = command.assignments.flatMap(({ name, value }) =>
      name === "PROMPT_COMMAND" && "text" in value ? [value.text] : [],
    );
    const reads = !command.wraps && readShellArguments(command.argv.slice(1)).fromStdin;
    const printed = reads
      ? command.upstream.filter(({ program }) => PRINTERS.test(program ?? "")).flatMap(literals)
      : [];
    return [...told, ...printed].flatMap((text) => scene.nested(text, command));
  });
}

/** Texts in quotes inside the words of a one-liner. */
function literals(command: Command): readonly string[] {
  const code = command.args.filter((arg) => arg !== undefined && arg.length <= 10_000).join("\n");
  return [...code.matchAll(/"([^"\\\n]{3,500})"|'([^'\\\n]{3,500})'/g)].map(
    ([, double, single]) => double ?? single ?? "",
  );
}
