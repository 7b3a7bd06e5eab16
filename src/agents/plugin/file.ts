import path from "node:path";
import { HookwrightError } from "../../core/errors.ts";
import type { Declaration } from "../declaration.ts";
import { isBlank } from "../grouped-hooks.ts";
import { type Installer, type InstallPlace, type InstallScope, usualParts } from "../installer.ts";
import { type CommandHandler, type IsOwnHandler, SHARED_CLIENT } from "../own-handlers.ts";

/** An agent that loads a file of ours instead of starting a command. */
export interface PluginHost {
  readonly declaration: Declaration;
  readonly scopes?: readonly InstallScope[];
  /** A JavaScript expression that denies every call, with the agent's plugin interface in `input` and the text in `reason`. */
  readonly denyAll: string;
}

/** What a plugin file says of itself in one line, so that it can be read back. */
interface PluginSettings {
  /** Of the installed version, with a slash at the end; the file of a project names none and looks for `hookwright`. */
  readonly folder?: string;
  readonly via: string;
  readonly profiles: readonly string[];
  readonly events: readonly string[];
}

const MARK = "// Written by `hookwright init";
const SETTINGS = "const SETTINGS = ";

/** The whole file. It has to load whatever is missing: an agent goes on without a plugin that does not. */
function pluginText({ declaration: { id }, denyAll }: PluginHost, settings: PluginSettings): string {
  const isShared = settings.folder === undefined;
  const options = `--agent ${id}${isShared ? " --scope project" : ""}`;
  const unloaded = isShared
    ? [
        // Whoever works on the project without Hookwright must not be locked out.
        '    process.stderr.write("Hookwright guards nothing here: " + error.message + "\\n");',
        "    return {};",
      ]
    : [
        '    const why = "Hookwright could not be loaded (" + error.message + "), so this call was stopped for safety.";',
        `    const reason = why + " A person can repair it: hookwright init ${options}";`,
        `    return ${denyAll};`,
      ];
  const lines = [
    `${MARK} ${options}\`; the next one writes it anew.`,
    `// To remove it: hookwright uninstall ${options}`,
    ...(isShared ? SHARED_IMPORTS : ['import { createRequire } from "node:module";']),
    "",
    `${SETTINGS}${JSON.stringify(settings)};`,
    "",
    ...(isShared ? SEARCH : []),
    "export default async function hookwright(input) {",
    "  try {",
    `    return createRequire(${isShared ? "programFolder()" : "SETTINGS.folder"})("./${id}.cjs").start(SETTINGS, input);`,
    "  } catch (error) {",
    ...unloaded,
    "  }",
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

const SHARED_IMPORTS = [
  'import { existsSync, realpathSync } from "node:fs";',
  'import { createRequire } from "node:module";',
  'import { dirname, join } from "node:path";',
];

/** The function that finds the programs of the `hookwright` on the PATH: in a package beside it, or in its own folder. */
const SEARCH = [
  "function programFolder() {",
  '  for (const folder of (process.env.PATH ?? "").split(":").filter((one) => one.startsWith("/"))) {',
  '    if (!existsSync(join(folder, "hookwright"))) continue;',
  '    const own = dirname(realpathSync(join(folder, "hookwright")));',
  '    const found = [join(own, "../dist/"), join(own, "/")].find((one) => existsSync(join(one, "shim.cjs")));',
  "    if (found) return found;",
  "  }",
  '  throw new Error("no program `hookwright` of this kind is on the PATH");',
  "}",
  "",
];

/** What a plugin file of ours says of itself; undefined for any other text. */
function settingsIn(text: string | undefined, isOurs: IsOwnHandler): PluginSettings | undefined {
  if (!text?.startsWith(MARK)) return undefined;
  const line = text.split("\n").find((one) => one.startsWith(SETTINGS));
  if (line === undefined) return undefined;
  let settings: Partial<PluginSettings>;
  try {
    settings = JSON.parse(line.slice(SETTINGS.length).replace(/;\s*$/, "")) as Partial<PluginSettings>;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const { folder, via = "", profiles = [], events = [] } = settings;
  const client: CommandHandler =
    folder === undefined
      ? { ...SHARED_CLIENT, args: [...SHARED_CLIENT.args, "--via"] }
      : { command: path.join(folder, "hook"), args: [] };
  if (!isOurs(client)) return undefined;
  return { ...(folder !== undefined && { folder }), via, profiles, events };
}

/** The installer of an agent with a plugin file, which is ours as a whole. */
export function pluginInstaller(
  host: PluginHost,
  settingsFile: (scope: InstallScope, place: InstallPlace) => string,
): Installer {
  const { declaration } = host;
  const usual = usualParts(declaration);
  return {
    ...usual,
    scopes: host.scopes ?? usual.scopes,
    settingsFile,
    install(text, { file, events, scope, client, profiles, isOurs }) {
      if (text !== undefined && !isBlank(text) && !settingsIn(text, isOurs)) {
        throw new HookwrightError("HW_NOT_OURS", { file });
      }
      const folder = `${path.dirname(client.args.at(-1) ?? client.command)}/`;
      return pluginText(host, {
        ...(scope !== "project" && { folder }),
        via: scope,
        profiles,
        events: events.map(({ event }) => event),
      });
    },
    remove: (text, isOurs) => (settingsIn(text, isOurs) ? "" : text),
    eventsIn: (text, isOurs) => [...(settingsIn(text, isOurs)?.events ?? [])],
    profilesIn: (text, isOurs) => [...(settingsIn(text, isOurs)?.profiles ?? [])],
  };
}
