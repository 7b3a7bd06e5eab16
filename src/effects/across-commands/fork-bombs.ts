import { type Effect, effect, type Scene } from "../effect.ts";

/** A function that calls itself twice at once, or a script that starts itself again and again. */
export function forkBombs({ shell }: Scene): readonly Effect[] {
  return shell.commands
    .filter((command) => {
      if (command.uncertain.includes("uncalled")) return false;
      if (
        command.program === "xargs" &&
        command.args.some((arg, index) => arg === "-P0" || (arg === "-P" && command.args[index + 1] === "0"))
      )
        return command.upstream.some(({ program }) => program === "yes");
      const [first] = command.argv;
      const itself =
        first !== undefined && (first.text === command.functionName || /^(?:\.\/)?\$\{?0\}?$/.test(first.text));
      return itself && (command.background || command.within.includes("pipeline") || command.upstream.length > 0);
    })
    .slice(0, 1)
    .map((command) =>
      effect("fork-bomb", command, "starts copies of itself without end until the machine cannot run anything else"),
    );
}
