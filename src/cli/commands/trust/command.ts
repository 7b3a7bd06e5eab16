import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ConfigSource } from "../../../config/compile.ts";
import type { ConfigDifference } from "../../../config/config-differences.ts";
import { printable, printableValue } from "../../../config/printable.ts";
import { projectRoot } from "../../../core/actor.ts";
import { HookwrightError } from "../../../core/errors.ts";
import {
  type ConfigFile,
  findConfigFiles,
  PROJECT_CONFIG,
  readConfigFile,
  readConfigSources,
} from "../../../engine/config/config-files.ts";
import { readTrust, realPathOf, sha256, standingOf } from "../../../engine/config/trust.ts";
import { POLICY_FOLDER } from "../../../engine/project-policies/policy-folder.ts";
import type { Home } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import type { CliCommand, CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { processTerminal, type Terminal } from "../../terminal/confirm.ts";
import { confirmByTypedWord, refusalUnlessPerson } from "../../terminal/person.ts";
import { type Style, styleFor, table } from "../../terminal/style.ts";
import { formatRecordedTime } from "../journal/time-format.ts";
import { alreadyTrustedText, policyFolderCandidate, type TrustCandidate } from "./policy-folder.ts";
import { addTrust, listTrust, removeTrust } from "./trust-records.ts";

const LONGEST_VALUE = 10_000;

export const trustCommand: CliCommand = {
  name: "trust",
  summary:
    "Allows this project's configuration to loosen policies, and its own policies to run, after showing you which.",
  usage: "trust [--list [--json]] [--revoke]",
  details: [
    `By itself a project's ${PROJECT_CONFIG} can only make policies stricter. This command shows what it would loosen and`,
    `asks you to type a word. A project's own policies, in ${POLICY_FOLDER}/policies/, run only when trusted. Trust is`,
    "for the files exactly as they are: any change to them ends it. Only a person in a terminal can give or revoke it.",
  ].join("\n"),
  options: {
    list: { type: "boolean", description: "Show which files and folders are trusted." },
    revoke: { type: "boolean", description: "Revoke the trust in this project's files." },
    json: { type: "boolean", description: "With --list: print JSON." },
  },
  changes: ({ options }) => options.list !== true,
  run: (context) => runTrust(context, processTerminal),
};

export async function runTrust(context: CommandContext, terminal: Terminal): Promise<number> {
  const { options, env, cwd } = context;
  if (options.list && options.revoke) {
    throw new HookwrightError("HW_USAGE", { detail: "Give only one of `--list` and `--revoke`.", command: "trust" });
  }
  const home = homeOf(env);
  if (options.list) return list(context, home);
  const refusal = refusalUnlessPerson("trust", env, terminal);
  if (refusal !== undefined) {
    context.err(refusal);
    return 1;
  }
  const project = projectRoot(cwd, system);
  const found = findConfigFiles(home, cwd, project);
  const file = found.find(({ owner }) => owner === "project")?.file;
  if (options.revoke) return revoke(context, home, file, project);
  const folder = policyFolderCandidate(home, project);
  if (file === undefined && folder.kind === "none") {
    const where = printable(project, 1_000);
    context.err(`There is no ${PROJECT_CONFIG} here or above, up to ${where}, and no policy in its ${POLICY_FOLDER}/.`);
    return 1;
  }
  const config: TrustCandidate = file === undefined ? { kind: "none" } : await configCandidate(home, found, file);
  return give(context, terminal, home, [config, folder]);
}

/** Shows everything, then asks for one typed word. Refuses when anything is invalid. */
async function give(
  context: CommandContext,
  terminal: Terminal,
  home: Home,
  looks: readonly TrustCandidate[],
): Promise<number> {
  const refused = looks.filter((look) => look.kind === "refused");
  if (refused.length > 0) {
    for (const { why } of refused) context.err(why);
    return 1;
  }
  const style = styleFor(context.env, terminal.output.isTTY === true);
  const open = looks.filter((look) => look.kind === "open");
  for (const look of looks) if (look.kind === "settled") context.out(look.said);
  if (open.length === 0) return 0;
  for (const look of open) context.out(look.show(style));
  if (!(await confirmByTypedWord("trust", "Continue only if you want all of this.", terminal))) {
    context.out("Nothing was changed: the configuration can only make policies stricter, and new policies do not run.");
    return 1;
  }
  for (const { record } of open) {
    const aside = addTrust(home.root, record);
    if (aside !== undefined)
      context.out(`The list of trusted files was damaged and was moved to ${aside}. A new list was started.`);
  }
  context.out("Trusted, exactly as shown, until a file changes or you run `hookwright trust --revoke`.");
  return 0;
}

async function configCandidate(home: Home, found: readonly ConfigFile[], file: string): Promise<TrustCandidate> {
  const content = readConfigFile(file);
  if ("unreadable" in content) return { kind: "refused", why: content.unreadable };
  const name = printable(file, 1_000);
  if (standingOf(readTrust(home.root), file, content.bytes) === "trusted") {
    return { kind: "settled", said: alreadyTrustedText(name) };
  }
  // The shown, the recorded and the read bytes are the same, even if the file changes meanwhile.
  const { sources } = readConfigSources(home, found);
  const looked = await compare(sources.map((one) => (one.file === file ? { ...one, text: content.text } : one)));
  if (!looked.isGood) {
    return { kind: "refused", why: ["The file has mistakes. Correct them first:", ...looked.problems].join("\n") };
  }
  if (looked.changes.length === 0) {
    return { kind: "settled", said: `Nothing in ${name} needs your trust: everything in it already applies.` };
  }
  const real = realPathOf(file);
  const record = { file: real, sha256: sha256(content.bytes), at: new Date().toISOString() };
  const show = (style: Style): string =>
    [
      `${style.bold(name)}${real === file ? "" : ` (a link to ${printable(real, 1_000)})`}`,
      `sha256 ${record.sha256}\n\nIf you trust it, this changes for every agent that works here:\n`,
      ...looked.changes.map((change) => changeText(change, style)),
      "",
    ].join("\n");
  return { kind: "open", record, show };
}

interface ConfigComparison {
  readonly isGood: boolean;
  readonly problems: readonly string[];
  readonly changes: readonly ConfigDifference[];
}

async function compare(sources: readonly ConfigSource[]): Promise<ConfigComparison> {
  const [{ compileConfig }, { configDifferences: differences }, { registry }] = await Promise.all([
    import("../../../config/compile.ts"),
    import("../../../config/config-differences.ts"),
    import("../../../policies/index.gen.ts"),
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

function changeText({ what, before, after }: ConfigDifference, style: Style): string {
  const lines = [`  ${style.bold(what)}`];
  const less = (value: unknown): number => lines.push(style.red(`    - ${printableValue(value, LONGEST_VALUE)}`));
  const more = (value: unknown): number => lines.push(style.green(`    + ${printableValue(value, LONGEST_VALUE)}`));
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

/** The items of `list` that `other` does not have. */
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
  else out(table(listed.map(({ state, at, file }) => [state, formatRecordedTime(at), printable(file, 1_000)])));
  return 0;
}

function revoke(context: CommandContext, home: Home, file: string | undefined, project: string): number {
  const { problem } = readTrust(home.root);
  if (problem !== "") {
    context.err(problem);
    return 1;
  }
  // When the file no longer exists, all records below the project are revoked.
  const below = `${realPathOf(project)}/`;
  const config = file === undefined ? undefined : realPathOf(file);
  const folder = path.join(realPathOf(project), POLICY_FOLDER);
  const isMeant = (one: string): boolean =>
    config === undefined ? one.startsWith(below) : one === config || one === folder;
  const removed = removeTrust(home.root, isMeant);
  const name = printable(file ?? project, 1_000);
  context.out(
    removed.length === 0
      ? `${name} was not trusted; nothing was changed.`
      : `${name} is no longer trusted: it can only make policies stricter, and its own policies do not run.`,
  );
  return 0;
}
