import type { Command, Word } from "./command.ts";

/**
 * What a command prints, for the few that print nothing but their own words. `$(echo x)` and `$(cat <<EOF …)` are how
 * people and agents write texts, and how a program's name is hidden.
 */
export function literalOutput(command: Command): Word | undefined {
  const [program, ...words] = command.argv;
  if (!program?.known || command.program === "" || command.uncertain.some((doubt) => doubt === "alias"))
    return undefined;
  const redirected = command.redirections.some((redirection) => redirection.fd !== 2 && redirection.body === undefined);
  if (redirected) return undefined;
  switch (program.text) {
    case "echo":
      return echo(words);
    case "printf":
      return printf(words);
    case "cat":
    case "/bin/cat":
      return words.length === 0 ? input(command) : undefined;
    default:
      return undefined;
  }
}

/** The here-document or here-string that a command reads. */
export function input(command: Command): Word | undefined {
  const [only, more] = command.redirections.filter(({ fd, operator }) => (fd ?? 0) === 0 && operator.startsWith("<"));
  if (more || !only?.body) return undefined;
  if (only.operator !== "<<<") return only.body;
  const { text, shape } = only.body;
  return { ...only.body, text: `${text}\n`, ...(shape !== undefined && { shape: `${shape}\n` }) };
}

function echo(words: readonly Word[]): Word | undefined {
  const newline = words[0]?.text !== "-n";
  const rest = newline ? words : words.slice(1);
  // Further options and backslashes mean different things to different shells.
  if (/^-[neE]+$/.test(rest[0]?.text ?? "") || rest.some((word) => word.text.includes("\\"))) return undefined;
  return printed(rest, (texts) => texts.join(" ") + (newline ? "\n" : ""));
}

function printf([format, ...values]: readonly Word[]): Word | undefined {
  const text = format?.known ? format.text.replaceAll("\\n", "\n") : undefined;
  if (text === undefined || text.startsWith("-") || text.includes("\\")) return undefined;
  if (!text.includes("%")) return values.length === 0 ? { text, known: true } : undefined;
  const [before = "", after = "", more] = text.split("%s");
  if (more !== undefined || before.includes("%") || after.includes("%") || values.length !== 1) return undefined;
  return printed(values, ([value = ""]) => before + value + after);
}

/** The text that words make, with a hole for each piece that is not known. */
function printed(words: readonly Word[], join: (texts: readonly string[]) => string): Word | undefined {
  const shapes = words.map((word) => (word.known ? word.text : word.shape)).filter((shape) => shape !== undefined);
  if (shapes.length < words.length) return undefined;
  const text = join(words.map((word) => word.text));
  return words.every((word) => word.known) ? { text, known: true } : { text, known: false, shape: join(shapes) };
}
