import { isDeepStrictEqual } from "node:util";
import type { ConfigSource } from "../../config/compile.ts";
import type { Difference } from "../../config/difference.ts";
import { printable, shown } from "../../config/shown.ts";
import { projectRoot } from "../../core/actor.ts";
import { HookwrightError } from "../../core/errors.ts";
import type { Home } from "../../core/home.ts";
import {
  type ConfigFile,
  findConfigFiles,
  PROJECT_CONFIG,
  readConfigFile,
  readConfigSources,
} from "../../engine/config-files.ts";
import { system } from "../../engine/system.ts";
import { readTrust, realPathOf, sha256, standingOf } from "../../engine/trust.ts";
import type { Command, CommandContext } from "../command.ts";
import { processTerminal, type Terminal } from "../confirm.ts";
import { homeOf } from "../installation.ts";
import { typesWord, whyNotAPerson } from "../person.ts";
import { styleFor, table } from "../style.ts";
import { addTrust, listTrust, removeTrust } from "../trust-records.ts";

const LONGEST_VALUE = 10_000;

export const trust: Command = {
  name: "trust",
  summary: "Lets this project's configuration loosen what is in force, after showing you what.",
  usage: "trust [--list [--json]] [--revoke]",
  details: [
    `A project's ${PROJECT_CONFIG} may only make things stricter. This shows what it would loosen and asks you to type a`,
    "word. The trust is for the file exactly as it is: after any change to it, it may only tighten again. Only a person",
    "in a terminal can give or take it.",
  ].join("\n"),
  options: {
    list: { type: "boolean", description: "Show which files are trusted." },
    revoke: { type: "boolean", description: "Take back the trust in this project's file." },
    json: { type: "boolean", description: "With --list: print JSON." },
  },
  changes: ({ options }) => options.list !== true,
  run: (context) => runTrust(context, processTerminal),
};

export async function runTrust(context: CommandContext, terminal: Terminal): Promise<number> {
  const { options, env, cwd } = context;
  if (options.list && options.revoke) {
    throw new HookwrightError("HW_USAGE", { detail: "`--list` and `--revoke` do not go together.", command: "trust" });
  }
  const home = homeOf(env);
  if (options.list) return list(context, home);
  const refusal = whyNotAPerson("trust", env, terminal);
  if (refusal !== undefined) {
    context.err(refusal);
    return 1;
  }
  const project = projectRoot(cwd, system);
  const found = findConfigFiles(home, cwd, project);
  const file = found.find(({ owner }) => owner === "project")?.file;
  if (options.revoke) return revoke(context, home, file, project);
  if (file === undefined) {
    context.err(`There is no ${PROJECT_CONFIG} here or above, up to ${printable(project, 1_000)}.`);
    return 1;
  }
  return give(context, terminal, home, found, file);
}

async function give(
  context: CommandContext,
  terminal: Terminal,
  home: Home,
  found: readonly ConfigFile[],
  file: string,
): Promise<number> {
  const content = readConfigFile(file);
  if ("unreadable" in content) {
    context.err(content.unreadable);
    return 1;
  }
  const name = printable(file, 1_000);
  if (standingOf(readTrust(home.root), file, content.bytes) === "trusted") {
    context.out(`${name} is trusted already, exactly as it is. \`hookwright trust --revoke\` takes that back.`);
    return 0;
  }
  // What is shown, what is recorded and what was read are the same bytes, whatever happens to the file meanwhile.
  const { sources } = readConfigSources(home, found);
  const looked = await lookAt(sources.map((one) => (one.file === file ? { ...one, text: content.text } : one)));
  if (!looked.isGood) {
    context.err(["The file has mistakes. Mend them first:", ...looked.problems].join("\n"));
    return 1;
  }
  if (looked.changes.length === 0) {
    context.out(`Nothing in ${name} needs your trust: all that it asks for is in force.`);
    return 0;
  }
  const style = styleFor(context.env, terminal.output.isTTY === true);
  const real = realPathOf(file);
  const record = { file: real, sha256: sha256(content.bytes), at: new Date().toISOString() };
  context.out(`${style.bold(name)}${real === file ? "" : ` (a link to ${printable(real, 1_000)})`}`);
  context.out(`sha256 ${record.sha256}\n\nIf you trust it, this changes for every agent that works here:\n`);
  for (const change of looked.changes) context.out(changeText(change, style));
  context.out("");
  if (!(await typesWord("trust", "Only go ahead if you want each of these.", terminal))) {
    context.out("Nothing was changed: the file may only make things stricter.");
    return 1;
  }
  const aside = addTrust(home.root, record);
  if (aside !== undefined) context.out(`The list of trusted files was damaged and is now ${aside}.`);
  context.out("Trusted, exactly as shown. Any change to the file ends it; `hookwright trust --revoke` does too.");
  return 0;
}

interface Look {
  readonly isGood: boolean;
  readonly problems: readonly string[];
  readonly changes: readonly Difference[];
}

async function lookAt(sources: readonly ConfigSource[]): Promise<Look> {
  const [{ compileConfig }, { differences }, { registry }] = await Promise.all([
    import("../../config/compile.ts"),
    import("../../config/difference.ts"),
    import("../../policies/index.gen.ts"),
  ]);
  const as = (trusted: boolean): ConfigSource[] =>
    sources.map((one) => (one.owner === "project" ? { ...one, trusted } : one));
  const without = await compileConfig(as(false));
  const withTrust = await compileConfig(as(true));
  const project = sources.find(({ owner }) => owner === "project");
  return {
    isGood: project !== undefined && withTrust.goodFiles.includes(project.file),
    problems: withTrust.problems,
    changes: differences(registry, without, withTrust),
  };
}

function changeText({ what, before, after }: Difference, style: ReturnType<typeof styleFor>): string {
  const lines = [`  ${style.bold(what)}`];
  const less = (value: unknown): number => lines.push(style.red(`    - ${shown(value, LONGEST_VALUE)}`));
  const more = (value: unknown): number => lines.push(style.green(`    + ${shown(value, LONGEST_VALUE)}`));
  const lost = Array.isArray(before) && Array.isArray(after) ? missing(before, after) : [];
  const gained = Array.isArray(before) && Array.isArray(after) ? missing(after, before) : [];
  if (lost.length + gained.length > 0) {
    for (const item of lost) less(item);
    for (const item of gained) more(item);
  } else {
    less(before);
    more(after);
  }
  return lines.join("\n");
}

/** What stands in `list` and not in `other`. */
function missing(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  return list.filter((item) => !other.some((one) => isDeepStrictEqual(one, item)));
}

function list({ options, out, err }: CommandContext, home: Home): number {
  const { problem } = readTrust(home.root);
  if (problem !== "") {
    err(problem);
    return 1;
  }
  const listed = listTrust(home.root);
  if (options.json) out(JSON.stringify(listed));
  else if (listed.length === 0) out("No project's configuration is trusted.");
  else out(table(listed.map(({ state, at, file }) => [state, at, printable(file, 1_000)])));
  return 0;
}

function revoke(context: CommandContext, home: Home, file: string | undefined, project: string): number {
  const { problem } = readTrust(home.root);
  if (problem !== "") {
    context.err(problem);
    return 1;
  }
  const real = realPathOf(file ?? project);
  // Also when the file is gone by now: then every record below the project is meant.
  const isMeant = (one: string): boolean => (file === undefined ? one.startsWith(`${real}/`) : one === real);
  const removed = removeTrust(home.root, isMeant);
  const name = printable(file ?? project, 1_000);
  context.out(
    removed.length === 0
      ? `${name} was not trusted; nothing was changed.`
      : `${name} is no longer trusted: it may only make things stricter.`,
  );
  return 0;
}
