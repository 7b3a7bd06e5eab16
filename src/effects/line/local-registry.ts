import type { Command } from "../../shell/command.ts";
import type { Effect, Scene } from "../effect.ts";
import { lineIndex } from "./line-index.ts";

/** Host names of this machine, with an optional port. */
const HERE =
  "(?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|\\[::1\\]|host\\.docker\\.internal|registry\\.local|kind-registry)(?::\\d+)?";
const ADDRESS = new RegExp(`^(?:https?|oci|docker)://(?:[^/@\\s]*@)?${HERE}(?:/|$)`);
/** An image whose name begins with its registry. */
export const LOCAL_IMAGE = new RegExp(`^${HERE}/`);

/** How a program is told the registry of a release. */
export interface RegistrySetting {
  readonly option: RegExp;
  readonly variable?: RegExp;
  /** Also by `npm config set registry …` earlier on the line. */
  readonly configured?: true;
  /** A folder of packages may stand in its place. */
  readonly folder?: true;
}

export const NPM_REGISTRY: RegistrySetting = {
  option: /^--registry$/,
  variable: /^(?:npm_config_registry|yarn_npm_registry_server|yarn_registry)$/i,
  configured: true,
};
export const NUGET_REGISTRY: RegistrySetting = { option: /^(?:--source|-s|-Source)$/, folder: true };
const NEVER = /(?!)/;
const UNKNOWN: RegistrySetting = { option: NEVER };

/** Public registries for test releases. */
const TRIAL = /^(?:test-?pypi|https:\/\/test\.pypi\.org\/.*)$/;
const TRIAL_OPTION = /^(?:-r|--repository|--repo|--index|--repository-url|--publish-url)$/;
/** A folder of packages, as .NET's tools take one. */
const FOLDER = /^(?:\.{0,2}\/|\.\\|[A-Za-z]:\\)/;

/** Drops releases to a registry on this machine or to a test registry: they are not public. */
export function withoutLocalReleases(
  effects: readonly Effect[],
  command: Command,
  scene: Scene,
  setting: RegistrySetting = UNKNOWN,
): readonly Effect[] {
  const isRelease = ({ kind }: Effect): boolean => kind === "publish";
  return effects.some(isRelease) && isLocal(command, scene, setting)
    ? effects.filter((one) => !isRelease(one))
    : effects;
}

function isLocal(command: Command, scene: Scene, setting: RegistrySetting): boolean {
  const told = command.args.flatMap((arg = "", at) => {
    const [, option = "", value = ""] = /^(--?[\w-]+)=(.*)$/s.exec(arg) ?? [];
    if (setting.option.test(option) || (TRIAL_OPTION.test(option) && TRIAL.test(value))) return [value];
    if (TRIAL_OPTION.test(command.args[at - 1] ?? "") && TRIAL.test(arg)) return [arg];
    // The destination of a chart is an operand, not an option.
    return setting.option.test(command.args[at - 1] ?? "") || /^(?:oci|docker):/.test(arg) ? [arg] : [];
  });
  const address = told.at(-1) ?? setFor(command, setting, scene);
  if (address === undefined) return false;
  const isFolder = setting.folder === true && FOLDER.test(address);
  return isFolder || ADDRESS.test(address) || TRIAL.test(address);
}

/** The registry set by a variable before the command, or exported or configured earlier on the line. */
function setFor(command: Command, setting: RegistrySetting, { shell }: Scene): string | undefined {
  const { variable = NEVER } = setting;
  for (let at: Command | undefined = command; at; at = at.via) {
    const own = at.assignments.find(({ name }) => variable.test(name))?.value;
    if (own) return "text" in own ? own.text : undefined;
    const given = at === command ? undefined : givenIn(at, variable);
    if (given !== undefined) return given;
  }
  const end = lineIndex(shell).positions.get(command) ?? shell.commands.length;
  for (let at = end - 1; at >= 0; at--) {
    const { program = "", args } = shell.commands[at] as Command;
    const given = program === "export" ? givenIn(shell.commands[at] as Command, variable) : undefined;
    if (given !== undefined) return given;
    const key =
      setting.configured && /^(?:p?npm|yarn)$/.test(program) && args.includes("set") ? args.indexOf("registry") : -1;
    if (key > 0) return args[key + 1];
  }
  return undefined;
}

/** `env name=value`, `export name=value` */
function givenIn({ args }: Command, variable: RegExp): string | undefined {
  for (const arg of args) {
    const [, name = "", value] = /^(\w+)=(.*)$/s.exec(arg ?? "") ?? [];
    if (variable.test(name)) return value;
  }
  return undefined;
}
