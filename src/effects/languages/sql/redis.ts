import type { Command, Word } from "../../../shell/command.ts";
import { readOptions } from "../../../shell/options.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { inputOnDisk, inputText } from "../../line/line-text.ts";
import { valuesOf } from "../../loose-options.ts";
import { fromDisk } from "./effects.ts";

const EMPTIES = /^(?:FLUSHALL|FLUSHDB)$/;
const REMOVES = /^(?:DEL|UNLINK)$/;

/** redis-cli and compatible clients: a command in the words, or one on each line of the input. */
export function REDIS(command: Command, scene: Scene): readonly Effect[] {
  const options = readOptions(
    command.argv.slice(1),
    {
      short: "h:p:s:a:u:n:r:i:d:D:xX:c2t:3",
      long: "user: pass: askpass no-auth-warning tls cacert: cert: key: sni: raw csv json eval: scan pattern: count: bigkeys pipe",
    },
    false,
  );
  const file = valuesOf(options, "eval");
  if (file.length > 0) return [];
  if (options.operands.length > 0) return one(options.operands, command);
  const text = inputText(command, scene);
  if (text !== undefined) return lineByLine(text, command);
  return fromDisk(inputOnDisk(command, scene), command, (file) => lineByLine(file, command).length > 0);
}

function lineByLine(text: string, command: Command): readonly Effect[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const words = line.trim().split(/\s+/);
    return one(
      words.map((word) => ({ text: word, known: true })),
      command,
    );
  });
}

/** The same commands, written to the server's port by hand. */
export function REDIS_WIRE(command: Command, scene: Scene): readonly Effect[] {
  const lines = inputText(command, scene)?.split(/\r?\n|\\r\\n/) ?? [];
  return lines.flatMap((line) =>
    /^\s*(?:flushall|flushdb)\b/i.test(line)
      ? one([{ text: line.trim().split(/\s/)[0] ?? "", known: true }], command)
      : [],
  );
}

function one(words: readonly Word[], command: Command): readonly Effect[] {
  const [verb, ...rest] = words;
  const name = verb?.known ? verb.text.toUpperCase() : "";
  if (EMPTIES.test(name)) {
    const why =
      name === "FLUSHALL" ? "removes every key of every Redis database" : "removes every key of the Redis database";
    return [effect("destroy-database", command, why, { target: name })];
  }
  if (name === "SHUTDOWN")
    return [effect("destroy-infrastructure", command, "shuts the Redis server down", { target: name })];
  // One key by its name is an ordinary change; what a list brings is not.
  if (REMOVES.test(name) && rest.some((word) => word.many || /[*?]/.test(word.text))) {
    return [
      effect("destroy-database", command, "removes every key that a pattern finds", {
        target: name,
        certainty: "possible",
      }),
    ];
  }
  if (name === "EVAL" && /redis\.p?call\(\s*['"](?:flushall|flushdb|del|unlink)['"]/i.test(rest[0]?.text ?? "")) {
    return [effect("destroy-database", command, "removes keys by a script", { target: name })];
  }
  return [];
}
