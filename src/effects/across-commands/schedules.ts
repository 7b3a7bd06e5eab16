import type { Command, Word } from "../../shell/command.ts";
import { printedBy } from "../../shell/expand/output.ts";
import { type Effect, effect, type Family, type Scene } from "../effect.ts";
import { fileText, inputText } from "../line/line-text.ts";
import { SCHEDULED, STARTUP_FILES, writesTo } from "../line/startup-files.ts";

const MOST_LINES = 200;
/** Five times or a word for them, then what runs. */
const ENTRY = /^\s*(?:@\w+|(?:[\d*,/\-A-Za-z?]+\s+){4}[\d*,/\-A-Za-z?]+)\s+(\S.*)$/;

/** The effects of the lines of a schedule. */
function entries(text: string, command: Command, scene: Scene): readonly Effect[] {
  return text
    .split("\n")
    .slice(0, MOST_LINES)
    .flatMap((line) => {
      const [, told] = ENTRY.exec(line) ?? [];
      if (told === undefined) return [];
      // Schedules of the system name the user first.
      const [, rest] = /^[a-z_][\w-]*\s+(\S.*)$/.exec(told) ?? [];
      return [told, ...(rest === undefined ? [] : [rest])].flatMap((one) => scene.nested(one, command));
    });
}

function crontab(command: Command, scene: Scene): readonly Effect[] {
  const { args } = command;
  const loss = (why: string): readonly Effect[] => [
    effect("schedule-loss", command, why, { instead: "list the jobs first, and edit single lines" }),
  ];
  if (args.some((arg) => /^-[ir]*r[ir]*$/.test(arg ?? ""))) return loss("removes every scheduled job of the user");
  if (args.includes("-l") || args.includes("-e")) return [];
  if (args.includes("/dev/null")) return loss("removes every scheduled job of the user");
  const keeps = command.upstream.some(({ program, args: given }) => program === "crontab" && given.includes("-l"));
  const reads = args.includes("-") || args.every((arg) => arg?.startsWith("-"));
  const file = reads ? undefined : command.argv.at(-1);
  const text = file ? fileText(file, command, scene) : (inputText(command, scene) ?? printed(command.upstream));
  const planned = entries(text ?? "", command, scene);
  return args.includes("-") && !keeps ? [...loss("replaces every scheduled job of the user"), ...planned] : planned;
}

/** What those commands of a part print that print nothing but their words. */
function printed(commands: readonly Command[]): string {
  return commands
    .slice(0, MOST_LINES)
    .map((command) => textOf(printedBy(command)))
    .join("\n");
}

function textOf(word: Word | undefined): string {
  return word?.known ? word.text : (word?.shape ?? "");
}

export const SCHEDULES: Readonly<Record<string, Family>> = { crontab };

/** The values of aliases in the startup files of a shell. */
function aliasesIn(text: string): readonly string[] {
  const found = text.matchAll(/(?:^|[;\n])\s*alias\s+[\w.-]+=(?:'([^'\n]*)'|"([^"\n]*)")/g);
  return [...found].slice(0, MOST_LINES).map(([, single, double]) => single ?? double ?? "");
}

/** Lines that are written into the schedules of the system, or where a shell finds them when it starts. */
export function scheduledLosses(scene: Scene): readonly Effect[] {
  return scene.shell.commands.flatMap((command) => {
    if (command.redirections.length === 0 && command.program !== "tee") return [];
    if (command.remote || command.uncertain.includes("uncalled")) return [];
    const told = command.redirections.some(
      ({ operator, target }) => operator.startsWith(">") && SCHEDULED.test(target?.text ?? ""),
    );
    if (writesTo(command, STARTUP_FILES)) {
      const text = command.program === "tee" ? inputText(command, scene) : textOf(printedBy(command));
      const lines = text || (inputText(command, scene) ?? "");
      // A short name for a deletion where one stands is ordinary.
      const named = aliasesIn(lines)
        .flatMap((one) => scene.nested(one, command))
        .filter(({ path, kind }) => (path ? !path.startsWith(scene.cwd) : /^(?:remote|format)/.test(kind)));
      return [...scene.nested(lines, command), ...named].filter(({ ifExists }) => !ifExists);
    }
    if (told) return entries(textOf(printedBy(command)) || (inputText(command, scene) ?? ""), command, scene);
    const tee = command.program === "tee" && command.args.some((arg) => SCHEDULED.test(arg ?? ""));
    return tee ? entries(inputText(command, scene) ?? "", command, scene) : [];
  });
}
