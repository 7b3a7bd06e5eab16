import { type Command, textOf, type Word } from "./command.ts";

/**
 * What a command prints, for the few that print nothing but their own words. `$(echo x)` and `$(cat <<EOF …)` are how
 * people and agents write texts, and how a program's name is hidden.
 */
export function literalOutput(command: Command): string | undefined {
  if (command.uncertain.length > 0) return undefined;
  const redirected = command.redirections.some((redirection) => redirection.fd !== 2 && redirection.body === undefined);
  if (redirected) return undefined;
  switch (command.argv[0]?.text) {
    case "echo":
      return echo(command.args);
    case "printf":
      return printf(command.args);
    case "cat":
    case "/bin/cat":
      return command.args.length === 0 ? textOf(input(command)) : undefined;
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

function echo(args: Command["args"]): string | undefined {
  const words = args.filter((arg) => arg !== undefined);
  const newline = words[0] !== "-n";
  const rest = newline ? words : words.slice(1);
  // Further options and backslashes mean different things to different shells.
  if (words.length < args.length || /^-[neE]+$/.test(rest[0] ?? "") || rest.some((word) => word.includes("\\"))) {
    return undefined;
  }
  return rest.join(" ") + (newline ? "\n" : "");
}

function printf([format, ...values]: Command["args"]): string | undefined {
  const text = format?.replaceAll("\\n", "\n");
  if (text === undefined || text.startsWith("-") || text.includes("\\") || values.includes(undefined)) return undefined;
  if (!text.includes("%")) return values.length === 0 ? text : undefined;
  const [before = "", after = "", more] = text.split("%s");
  if (more !== undefined || before.includes("%") || after.includes("%") || values.length !== 1) return undefined;
  return before + values[0] + after;
}
