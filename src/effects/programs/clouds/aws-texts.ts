import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { readLoosely, valuesOf } from "../../loose-options.ts";

/** Changes to names and commands for machines that stand in a JSON text. */
export function awsTexts(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "change-batch request-items parameters profile region");
  const [first, second] = reading.operands.map(({ text }) => text);
  const batch = valuesOf(reading, "change-batch").some(({ text }) => /"Action"\s*:\s*"DELETE"/.test(text));
  if (first === "route53" && batch) return [effect("destroy-infrastructure", command, "deletes names from the zone")];
  const items = valuesOf(reading, "request-items").some(({ text }) => /"DeleteRequest"\s*:/.test(text));
  if (first === "dynamodb" && items) return [effect("destroy-database", command, "deletes items of a table")];
  if (first !== "ssm" || !/^(?:send-command|start-session)$/.test(second ?? "")) return [];
  return valuesOf(reading, "parameters")
    .flatMap(({ text }) => commandsIn(text))
    .flatMap((text) => scene.nested(text, { ...command, remote: true }));
}

/** `commands=["a","b"]`, `{"commands":["a"]}`, `commands=a`: the lines for the agent on the machine, as one text. */
function commandsIn(text: string): readonly string[] {
  const [, given] = /\bcommands?"?\s*[=:]\s*(.*)$/s.exec(text) ?? [];
  if (given === undefined) return [];
  const quoted = [...given.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, line = ""]) => line.replace(/\\(["\\])/g, "$1"));
  const plain = given.replace(/^\[|\]$/g, "").replace(/^'|'$/g, "");
  return [quoted.length > 0 && /^[["]/.test(given) ? quoted.join("\n") : plain];
}
