import { basename } from "node:path";
import { HookwrightError } from "../../../core/errors.ts";
import { MAX_BODY } from "../../../core/frame.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { readProfiles } from "../../installation/setup-options.ts";
import { readInput } from "../../terminal/standard-input.ts";
import { type Style, styleFor } from "../../terminal/style.ts";
import { hookEnvironment } from "../explain/examine.ts";
import type { ExplainParts } from "../explain/run.ts";
import { type CheckedEffect, type CheckResult, checkCommandLine } from "./check-command-line.ts";

export async function runCheck(context: CommandContext, parts: ExplainParts): Promise<number> {
  const { args, options, env, cwd, out } = context;
  const [given, ...more] = args;
  if (given === undefined || more.length > 0) {
    const detail = given === undefined ? "Name the command." : "Put the whole command in quotes.";
    throw new HookwrightError("HW_USAGE", { detail, command: "check" });
  }
  const command = given === "-" ? (await readInput(parts.input, MAX_BODY)).toString("utf8") : given;
  const profiles = readProfiles("check", typeof options.profile === "string" ? options.profile : undefined);
  const checked = await checkCommandLine(command, {
    home: homeOf(env),
    dist: parts.dist,
    cwd,
    env: hookEnvironment(parts.dist, env),
    profiles,
    ...(typeof options.session === "string" ? { session: options.session } : {}),
  });
  out(options.json ? JSON.stringify(checked) : show(checked, styleFor(env, process.stdout.isTTY === true)));
  return checked.verdict === "pass" ? 0 : 2;
}

function show({ verdict, effects, reason, notes, switchedOff }: CheckResult, style: Style): string {
  const words = { pass: style.green("pass"), ask: style.yellow("ask"), deny: style.red("deny") };
  const lines = [style.bold(words[verdict]) + (reason === "" ? "" : `  ${reason}`)];
  if (switchedOff !== "") lines.push(style.yellow(`Hookwright is switched off (${switchedOff}): everything passes.`));
  for (const { policy, text } of notes) lines.push(`The model is told: ${text} [${policy}]`);
  if (effects.length === 0 && verdict === "pass") lines.push(style.dim("Nothing in it would lose anything."));
  const pieces = [...new Set(effects.map(({ text }) => text))];
  for (const piece of pieces) {
    lines.push("", style.bold(oneLine(piece)));
    const own = effects.filter(({ text }) => text === piece);
    lines.push(...own.map((effect, index) => `${index === own.length - 1 ? "└" : "├"} ${describe(effect, style)}`));
  }
  return lines.join("\n");
}

function describe({ kind, why, certainty, startedBy, loses }: CheckedEffect, style: Style): string {
  const where = startedBy === "" ? "" : `, in ${basename(startedBy)}`;
  const doubt = certainty === "possible" ? " (if it does what it seems to)" : "";
  const worth = loses === false ? style.dim(" — nothing would be lost") : "";
  return `${loses !== false ? style.yellow(kind) : style.dim(kind)}  ${why}${where}${doubt}${worth}`;
}

function oneLine(text: string): string {
  const [first = "", ...more] = text.split("\n");
  return more.length > 0 ? `${first} …` : first;
}
