import { posix } from "node:path";
import type { Command, Word } from "../../../shell/command.ts";
import { type Effect, effect, effectsOfEach, type Family, pathsOf, type Scene } from "../../effect.ts";
import { deletedAddress, deletedAt } from "../../line/addresses.ts";
import { quotedWords, textWithPlaceholders } from "../../line/line-text.ts";
import { named } from "../../loose-options.ts";
import { unreadScript } from "../scripts/long-scripts.ts";
import { sqlEffects } from "../sql/effects.ts";
import { readArguments, scriptOf } from "./arguments.ts";
import { stepsOf } from "./commands.ts";
import { downloadedFiles, FETCH, runsFetched, sentByPowerShell } from "./flows.ts";
import { switchedOff } from "./protections.ts";
import { type PowerCommand, type PowerWord, powerCommands } from "./words.ts";

const REMOVE = /^(?:remove-item|ri|rm|del|erase|rd|rmdir)$/;
const LIST = /^(?:get-childitem|gci|ls|dir|get-item|gi)$/;
const DEVICES = /^(?:format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk)$/;
const POWER = /^(?:stop-computer|restart-computer)$/;
const CLOUD =
  /^(?:remove-(?:az\w+|vm|vmsnapshot|vhd|ec2\w+|rds\w+|s3\w+|gc\w+|ad\w+|cluster\w*|service|local(?:user|group)|sql\w+|itemproperty|website|webapppool|iis\w+|smbshare|partition|virtualdisk|storagepool|dns\w+|dhcp\w+|mailbox|mg\w+|msol\w+|printer|windowscapability|windowsfeature|appxpackage|psdrive)|uninstall-(?:windowsfeature|addsdomaincontroller|addsforest)|clear-(?:eventlog|recyclebin|item|itemproperty)|unregister-scheduledtask|dismount-vhd|restore-vmsnapshot|stop-vm)$/;
const EMPTIES = /^(?:clear-content|clc)$/;
/** Writes a file anew; with nothing to write it is empty afterwards. */
const WRITES = /^(?:set-content|sc|out-file)$/;
const MAX_DEPTH = 4;
/** Of a text that is too long to be read. */
const MAY_HARM =
  /\b(?:remove|rm|del|rd|ri|erase|rmdir|clear|clc|stop|kill|spps|restart|format|initialize|reset|uninstall|unregister|dismount|restore|set-content|sc|out-file|new-item|ni|iex|invoke|start|net|sockets|scriptblock|delete|cmd|bash|sh|pwsh|powershell)|sql|[>&]|::/i;

/** pwsh and powershell: their own language, of which commands, options and strings are read. */
const powershell: Family = (command, scene) => {
  const text = scriptOf(command, scene);
  return text === undefined ? [] : powerEffects(text, command, scene, 0);
};

function powerEffects(text: string, command: Command, scene: Scene, depth: number): readonly Effect[] {
  if (depth > MAX_DEPTH) return [];
  const commands = powerCommands(text, scene.userHome);
  if (!commands) return MAY_HARM.test(text) ? [unreadScript(command)] : [];
  const fetched = runsFetched(commands);
  if (fetched !== undefined) return [effect("remote-code", command, fetched)];
  const lower = commands.map(({ words }) => words.map((word) => (word.quoted ? "" : word.text.toLowerCase())));
  if (lower.flat().some((word) => word.includes("sockets.tcpclient")))
    return [effect("remote-code", command, "opens a shell on this machine for another machine")];
  // By their steps the line tells what it made before.
  const steps = depth === 0 ? stepsOf(command, scene) : [];
  return [
    ...effectsOfEach(commands, (one, index) => {
      const by = steps[index]?.at(-1);
      const found = cmdlet(one, commands[index - 1], command, scene, depth);
      return by ? found.map((one) => ({ ...one, by })) : found;
    }),
    ...downloadedFiles(commands).flatMap((file) => replaced(file, command, scene)),
    ...sentByPowerShell(commands, scene.userHome, command),
  ];
}

/** A download that takes the place of a file. */
function replaced(file: string, command: Command, scene: Scene): readonly Effect[] {
  if (file.includes("\uf0ff")) return [];
  return at(file, command, scene).map((place) =>
    effect("overwrite", command, `replaces ${file}`, { ...place, ifExists: true }),
  );
}

function cmdlet(
  one: PowerCommand,
  before: PowerCommand | undefined,
  command: Command,
  scene: Scene,
  depth: number,
): readonly Effect[] {
  const out = one.words.findIndex(({ text, quoted }) => !quoted && /^1?>(?!>)/.test(text));
  if (out >= 0) return redirected(one, out, before, command, scene, depth);
  const name = (one.words[0]?.text ?? "").toLowerCase();
  const { operands, flags, values } = readArguments(one.words.slice(1));
  if (flags.some((flag) => /^-(?:whatif|wi|\?)$/.test(flag)) || one.words[0]?.quoted) return [];
  if (REMOVE.test(name)) {
    const tree = flags.some((flag) => /^-(?:r|rec\w*|rf|fr)$/.test(flag)) || recursesBefore(one, before);
    const found = operands.length === 0 && one.piped ? foundByName(before, tree, command, scene) : [];
    if (found.length > 0) return found;
    const targets = operands.length > 0 ? operands : one.piped ? listedBefore(before) : [];
    return targets.flatMap((target) => removed(target, tree, command, scene));
  }
  if (/^(?:new-item|ni)$/.test(name) && flags.some((flag) => /^-f(?:o(?:r(?:c(?:e)?)?)?)?$/.test(flag)))
    return values.some((value) => /^(?:directory|d|\w*link|junction)$/i.test(value))
      ? []
      : operands
          .slice(0, 1)
          .flatMap((target) =>
            at(target, command, scene).map((place) =>
              effect("truncate", command, `replaces ${target} with a new file`, { ...place, ifExists: true }),
            ),
          );
  if (EMPTIES.test(name) || (WRITES.test(name) && writesNothing(one, before, operands, values)))
    return operands.slice(0, EMPTIES.test(name) ? undefined : 1).flatMap((target) => emptied(target, command, scene));
  if (DEVICES.test(name))
    return [
      effect("format-device", command, "erases a disk or volume", { target: [...operands, ...values].join(" ") }),
    ];
  if (POWER.test(name)) return [effect("kill-everything", command, "shuts the computer down")];
  if (
    /^(?:stop-process|spps|kill)$/.test(name) &&
    ([...operands, ...values].includes("*") || /^(?:get-process|gps|ps)$/i.test(alone(before, one)))
  )
    return [effect("kill-everything", command, "ends every process")];
  if (
    /^(?:stop-service|spsv)$/.test(name) &&
    ([...operands, ...values].includes("*") || /^(?:get-service|gsv)$/i.test(alone(before, one)))
  )
    return [effect("kill-everything", command, "stops every service")];
  const address = FETCH.test(name) ? deletedAddress(one.words.map(({ text }) => text)) : undefined;
  if (address !== undefined) return [deletedAt(address, command)];
  if (CLOUD.test(name))
    return [
      effect("destroy-infrastructure", command, `removes ${[...operands, ...values].join(" ")}`.trim(), {
        target: [...operands, ...values].join(" "),
      }),
    ];
  const off = switchedOff(one.words, command);
  if (off.length > 0) return off;
  if (name === "invoke-sqlcmd")
    return [...values, ...operands].flatMap((text) => sqlEffects(text, { brackets: true }, command, scene));
  if (/^(?:iex|invoke-expression)$/.test(name))
    return operands.flatMap((text) => powerEffects(text, command, scene, depth + 1));
  const forced = flags.some((flag) => /^-fo?r?c?e?$/.test(flag));
  const plain = /^(?:copy-item|cpi)$/.test(name) ? "cp" : forced && /^(?:move-item|mi)$/.test(name) ? "mv" : undefined;
  if (plain) return scene.nested(quotedWords([plain, ...operands].map((text) => asWord(text))), command);
  if (/-/.test(name) || name.startsWith("[") || name.startsWith("\uf0ff")) return [];
  return scene.nested(quotedWords(one.words.map(({ text }) => asWord(text))), command);
}

/** [IO.Directory]::Delete('x', $true): the bracket after it is the next command. */
function deletedByType(commands: readonly PowerCommand[], command: Command, scene: Scene): readonly Effect[] {
  return commands.flatMap(({ words }, index) => {
    const type = /^\[(?:system\.)?io\.(directory|file)\]::delete$/i.exec(words.at(-1)?.text ?? "")?.[1];
    const target = commands[index + 1]?.words[0]?.text;
    const content = commands[index + 1]?.words[1];
    if (target !== undefined && /^\[(?:system\.)?io\.file\]::(?:create|writealltext)$/i.test(words.at(-1)?.text ?? ""))
      return content === undefined || content.text === "" ? emptied(target, command, scene) : [];
    return type && target !== undefined ? removed(target, type.toLowerCase() === "directory", command, scene) : [];
  });
}

/** No value, an empty one or `$null`, and nothing piped in. */
function writesNothing(
  { piped, words }: PowerCommand,
  before: PowerCommand | undefined,
  operands: readonly string[],
  values: readonly string[],
): boolean {
  const quoted = new Set(words.filter(({ quoted: is }) => is).map(({ text }) => text));
  const given = [...operands.slice(1), ...values];
  if (piped) return before !== undefined && isNothing(before.words);
  return given.every((text) => text === "" || (text === "null" && !quoted.has(text)));
}

/** `$null` or an empty text. */
function isNothing([first, more]: readonly PowerWord[]): boolean {
  return first !== undefined && more === undefined && (first.text === "" || (first.text === "null" && !first.quoted));
}

/** `$null > file` empties it, whatever else is printed there replaces it. */
function redirected(
  one: PowerCommand,
  out: number,
  before: PowerCommand | undefined,
  command: Command,
  scene: Scene,
  depth: number,
): readonly Effect[] {
  const { words } = one;
  const own = words.slice(0, out);
  const attached = (words[out]?.text ?? "").replace(/^1?>/, "");
  const target = attached === "" ? words[out + 1] : { text: attached, quoted: false, names: [] };
  const inner = own.length > 0 ? cmdlet({ ...one, words: own }, before, command, scene, depth) : [];
  if (!target || (target.text === "null" && !target.quoted) || !isNothing(own)) return inner;
  return emptied(target.text, command, scene);
}

function recursesBefore(one: PowerCommand, before: PowerCommand | undefined): boolean {
  return one.piped && (before?.words.some(({ text }) => /^-(?:r|rec\w*)$/i.test(text)) ?? false);
}

/** What a list that is piped on contains. */
function listedBefore(before: PowerCommand | undefined): readonly string[] {
  const name = before?.words[0]?.text.toLowerCase() ?? "";
  if (!before || !LIST.test(name)) return ["\uf0ff"];
  const { operands } = readArguments(before.words.slice(1));
  return operands.length > 0 ? operands : ["*"];
}

/** `Get-ChildItem -Recurse -Include bin, obj | Remove-Item -Recurse`: folders and files by name, in any folder. */
function foundByName(
  before: PowerCommand | undefined,
  tree: boolean,
  command: Command,
  scene: Scene,
): readonly Effect[] {
  if (!before || !LIST.test(before.words[0]?.text.toLowerCase() ?? "")) return [];
  const { operands, named: given, flags } = readArguments(before.words.slice(1));
  const names = [...(given.get("-include") ?? []), ...(given.get("-filter") ?? [])];
  if (!flags.some((flag) => /^-(?:r|rec\w*|s)$/.test(flag)) || names.length === 0 || !names.every(isName)) return [];
  const roots = operands.length > 0 ? operands : ["."];
  return roots.flatMap((root) =>
    at(root, command, scene).flatMap(({ path, certainty }) =>
      names.map((name) => {
        const target = posix.join(root.replaceAll("\\", "/"), "**", name);
        const place = path === undefined ? {} : { path: posix.join(path, name), inside: path };
        const why = `deletes everything that matches ${target}`;
        return effect(tree ? "delete-tree" : "delete-file", command, why, { target, certainty, ...place });
      }),
    ),
  );
}

/** Not a pattern for everything, and not known only when it runs. */
function isName(text: string): boolean {
  return /^[\w.*-]+$/.test(text) && /\w/.test(text);
}

function alone(before: PowerCommand | undefined, one: PowerCommand): string {
  return one.piped && before?.words.length === 1 ? (before.words[0]?.text ?? "") : "";
}

export function emptied(target: string, command: Command, scene: Scene): readonly Effect[] {
  return at(target, command, scene).map((place) => effect("truncate", command, `empties ${target}`, place));
}

export function removed(target: string, tree: boolean, command: Command, scene: Scene): readonly Effect[] {
  const shown = target.replaceAll("\uf0ff", "…");
  const why = tree ? `deletes ${shown} and everything in it` : `deletes ${shown}`;
  return at(target, command, scene).map((place) => effect(tree ? "delete-tree" : "delete-file", command, why, place));
}

function at(target: string, command: Command, scene: Scene): ReturnType<typeof pathsOf> {
  // A path of Windows means nothing to this machine's files.
  if (/^[A-Za-z]+:|^%\w+%/.test(target) || target.includes("\\")) return [{ target, certainty: "certain" }];
  return pathsOf(asWord(target), command, scene);
}

function asWord(text: string): Word {
  if (/[\uf000-\uf0ff]/.test(text)) return { text: text.replace(/[\uf000-\uf0ff]/g, "…"), known: false, shape: text };
  return /[*?[]/.test(text) ? { text, known: false, glob: true, shape: text } : { text, known: true };
}

/** Cmdlets that stand on a line of their own: whoever reads the line, they mean the same. */
const bare: Family = (command, scene) => {
  const listed = command.upstream.length === 1 && command.upstream[0] ? `${lineOf(command.upstream[0])} | ` : "";
  return powerEffects(listed + lineOf(command), command, scene, 0);
};

/** Bash takes the first half for a variable of its own. */
const TEMPORARY = /^\$env:TE?MP[\w./\\-]*$/i;

function lineOf({ argv }: Command): string {
  return argv
    .map((word) => (TEMPORARY.test(word.text) ? word.text : (textWithPlaceholders(word) ?? "\uf0ff")))
    .map((text) => (/^[\w./\\:*?~,-]+$/.test(text) || TEMPORARY.test(text) ? text : `'${text.replaceAll("'", "''")}'`))
    .join(" ");
}

const CMDLETS =
  "Remove-Item Clear-Content Set-Content Out-File Format-Volume Clear-Disk Initialize-Disk Remove-Partition Stop-Computer Restart-Computer Stop-Process Remove-VM Remove-Service Remove-LocalUser Clear-EventLog Clear-RecycleBin Invoke-Expression Unregister-ScheduledTask Remove-ADUser Remove-ItemProperty Clear-Item Set-NetFirewallProfile Set-MpPreference";

const withTypes: Family = (command, scene) => {
  const text = scriptOf(command, scene) ?? "";
  return [...powershell(command, scene), ...deletedByType(powerCommands(text, scene.userHome) ?? [], command, scene)];
};

export const WINDOWS: Readonly<Record<string, Family>> = {
  ...named("pwsh powershell pwsh-preview", withTypes),
  ...named(`${CMDLETS} ${CMDLETS.toLowerCase()}`, bare),
};
