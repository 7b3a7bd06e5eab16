import { type Command, knownText, knownWord } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { earlierOf, lineIndex } from "../../line/line-index.ts";
import { has, readLoosely, valuesOf } from "../../loose-options.ts";

/** `TF_CLI_ARGS` and `TF_CLI_ARGS_apply` hold words that follow the subcommand. */
export function withVariables(command: Command, scene: Scene): Command {
  const verb = command.args.find((arg) => arg !== undefined && !arg.startsWith("-"));
  const index = lineIndex(scene.shell);
  const exported = earlierOf(index.exports, command, index).flatMap(({ args }) =>
    args.flatMap((arg): [string, string][] => {
      const [, name, text] = /^(TF_CLI_ARGS\w*)=(.*)$/s.exec(arg ?? "") ?? [];
      return name === undefined ? [] : [[name, text ?? ""]];
    }),
  );
  const own = command.assignments.map(({ name, value }): [string, string] => [name, "text" in value ? value.text : ""]);
  const more = [...exported, ...own].flatMap(([name, text]) =>
    name === "TF_CLI_ARGS" || name === `TF_CLI_ARGS_${verb}` ? text.split(/\s+/) : [],
  );
  const words = more.filter((text) => text !== "").map(knownWord);
  const at = command.args.indexOf(verb) + 1;
  if (words.length === 0 || at === 0) return command;
  const argv = [...command.argv.slice(0, at + 1), ...words, ...command.argv.slice(at + 1)];
  return { ...command, argv, args: argv.slice(1).map(knownText) };
}

/** `plan -destroy -out=x`, then `apply x`: the plan was made on this very line, so nobody has read it. */
function appliesDestroyPlan(command: Command, scene: Scene): boolean {
  const [verb, plan] = readLoosely(command.argv.slice(1), "target var var-file").operands;
  if (verb?.text !== "apply" || !plan) return false;
  return scene.shell.commands.some((one) => {
    if (one === command || (one.program !== "terraform" && one.program !== "tofu")) return false;
    const made = readLoosely(withVariables(one, scene).argv.slice(1), "target var var-file out");
    const isOut = valuesOf(made, "out").some(
      ({ text }) => text.replace(/^\.\//, "") === plan.text.replace(/^\.\//, ""),
    );
    return made.operands[0]?.text === "plan" && isOut && has(made, "destroy");
  });
}

/** A plan to destroy that the line makes and applies at once. */
export function destroyPlans(command: Command, scene: Scene): readonly Effect[] {
  if (!appliesDestroyPlan(withVariables(command, scene), scene)) return [];
  return [
    effect("destroy-infrastructure", command, "destroys everything that this configuration made", {
      target: "apply",
      instead: "let a person read the plan before it is applied",
    }),
  ];
}
