import path from "node:path";
import { projectRoot } from "../../../core/actor.ts";
import type { Home } from "../../../system/home.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { configIn } from "../../installation/config-in-folder.ts";
import { homeOf } from "../../installation/current-build.ts";
import { type Style, styleFor } from "../../terminal/style.ts";
import { sarifOf } from "./sarif.ts";

/** One problem of a configuration. `file` is missing where the problem is not about one file. */
export interface ConfigurationFinding {
  /** A warning is about a setting that is right, but does not apply. */
  readonly level: "error" | "warning";
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** `hookwright policies --check`: the exit code is 1 when a file has a mistake, so that it is not used as it is. */
export async function runCheckConfiguration({ options, env, cwd, out }: CommandContext): Promise<number> {
  const { files, findings } = await checkConfiguration(homeOf(env), cwd);
  const isWrong = findings.some(({ level }) => level === "error");
  if (options.sarif) out(JSON.stringify(sarifOf(findings, projectRoot(cwd, system)), null, 2));
  else if (options.json) out(JSON.stringify({ ok: !isWrong, files, findings }));
  else out(show(files, findings, styleFor(env, process.stdout.isTTY === true)));
  return isWrong ? 1 : 0;
}

async function checkConfiguration(home: Home, cwd: string) {
  const { config, files: found, problems } = await configIn(home, cwd);
  const files = found.map(({ file }) => path.resolve(cwd, file));
  const findings = problems.map((problem): ConfigurationFinding => {
    const file = files.find((one) => problem.startsWith(`${one}:`));
    if (file === undefined) return { level: "warning", text: problem };
    const level = config.goodFiles.includes(file) ? "warning" : "error";
    const [, line, column, detail] = /^:(\d+):(\d+): ([\s\S]*)$/.exec(problem.slice(file.length)) ?? [];
    if (detail === undefined) return { level, text: problem.slice(file.length + 2), file };
    return { level, text: detail, file, line: Number(line), column: Number(column) };
  });
  return { files, findings };
}

function show(files: readonly string[], findings: readonly ConfigurationFinding[], style: Style): string {
  if (files.length === 0) return "There is no configuration file here: the defaults are used.";
  if (findings.length === 0) return `${style.green("ok")}  ${files.join(", ")}`;
  const lines = findings.map(({ level, text, file, line, column }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(":");
    return `${level === "error" ? style.red(level) : style.yellow(level)}  ${place === "" ? "" : `${place}: `}${text}`;
  });
  return lines.join("\n");
}
