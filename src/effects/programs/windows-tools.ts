import type { Command } from "../../shell/command.ts";
import { type Effect, type EffectKind, effect, type Family, pathsOf, type Scene } from "../effect.ts";

/** A program of Windows and the words with which it loses something. Its options begin with a slash. */
interface WindowsTool {
  readonly kind: EffectKind;
  readonly why: string;
  /** The words, in small letters and joined by blanks. */
  readonly when: RegExp;
  readonly unless?: RegExp;
}

const TOOLS: Readonly<Record<string, WindowsTool>> = {
  vssadmin: {
    kind: "format-device",
    why: "deletes the shadow copies of the disks",
    when: /^(?:delete|resize) /,
  },
  wmic: {
    kind: "destroy-infrastructure",
    why: "deletes what it lists",
    when: /\b(?:delete|call (?:delete|uninstall|terminate|win32shutdown))\b/,
  },
  diskpart: { kind: "format-device", why: "changes disks by a script", when: /(?:^|\s)\/s\b/ },
  diskshadow: { kind: "destroy-infrastructure", why: "changes shadow copies by a script", when: /(?:^|\s)[/-]s\b/ },
  cipher: {
    kind: "format-device",
    why: "overwrites deleted data, so that it cannot be recovered",
    when: /(?:^|\s)\/w:/,
  },
  bcdedit: {
    kind: "format-device",
    why: "removes a boot entry of the machine",
    when: /(?:^|\s)\/(?:delete|deletevalue|import)\b/,
  },
  bootrec: {
    kind: "format-device",
    why: "rewrites the boot sector of the disk",
    when: /(?:^|\s)\/(?:fixmbr|fixboot)\b/,
  },
  reg: { kind: "destroy-infrastructure", why: "deletes entries of the registry", when: /^(?:delete|restore|unload) / },
  schtasks: { kind: "schedule-loss", why: "removes a scheduled task", when: /(?:^|\s)\/delete\b/ },
  sc: { kind: "destroy-infrastructure", why: "removes a service", when: /^(?:\\\\\S+ )?delete / },
  net: {
    kind: "delete-tree",
    why: "removes an account, a group or a share",
    when: /^(?:user|localgroup|group|share|accounts)\b.*\/(?:delete|del)\b/,
  },
  icacls: {
    kind: "permission-blast",
    why: "changes the permissions of everything below",
    when: /(?=.*\/t\b)(?=.*(?:\/(?:grant|reset|deny|inheritance|setowner|remove)))/,
  },
  takeown: { kind: "permission-blast", why: "changes who owns everything below", when: /(?:^|\s)\/r\b/ },
  cacls: {
    kind: "permission-blast",
    why: "changes the permissions of everything below",
    when: /(?=.*\/t\b)(?=.*\/(?:g|p|d|e)\b)/,
  },
  wevtutil: {
    kind: "delete-file",
    why: "empties a log of the system",
    when: /^(?:cl|clear-log|um|uninstall-manifest) /,
  },
  taskkill: {
    kind: "kill-everything",
    why: "ends processes that other programs need",
    when: /\/im (?:\*|svchost|csrss|lsass|winlogon|explorer|services|smss|wininit)|\/fi "?(?:pid ne|status eq|username eq)/,
  },
  fsutil: {
    kind: "delete-file",
    why: "writes over content of a file",
    when: /^file (?:setzerodata|seteof|setvaliddata)\b|^usn deletejournal\b/,
  },
  "manage-bde": {
    kind: "format-device",
    why: "removes the encryption keys of a disk",
    when: /-(?:forcerecovery|wipefreespace|protectors -delete)/,
  },
  dism: {
    kind: "destroy-infrastructure",
    why: "removes parts of the system",
    when: /\/(?:remove-package|disable-feature|remove-driver|delete-image)/,
  },
  wusa: { kind: "destroy-infrastructure", why: "removes an update", when: /\/uninstall\b/ },
  netsh: {
    kind: "permission-blast",
    why: "resets the network settings",
    when: /^(?:advfirewall reset|advfirewall set (?:all|current|domain|private|public)profiles? state off|firewall set opmode (?:mode=)?disable|int(?:erface)? ip reset|winsock reset)/,
  },
  rd: { kind: "delete-tree", why: "deletes a folder with everything in it", when: /(?:^|\s)\/s\b/ },
  del: { kind: "delete-file", why: "deletes files", when: /(?:^|\s)\/[sfq]\b/ },
  erase: { kind: "delete-file", why: "deletes files", when: /(?:^|\s)\/[sfq]\b/ },
  mshta: { kind: "remote-code", why: "runs code from the network", when: /https?:|javascript:|vbscript:/ },
  regsvr32: { kind: "remote-code", why: "runs code from the network", when: /\/i:https?:/ },
  msiexec: { kind: "remote-code", why: "installs a program from the network", when: /\/(?:i|package)\s*https?:/ },
  format: { kind: "format-device", why: "formats a disk", when: /^[a-z]:/ },
};

function family(tool: WindowsTool): Family {
  return (command) => {
    const text = command.argv
      .slice(1)
      .map((word) => word.text)
      .join(" ")
      .toLowerCase();
    if (/(?:^|\s)\/\?/.test(text) || !tool.when.test(text) || tool.unless?.test(text)) return [];
    const target = command.args.filter((arg) => arg && !/^[/-]/.test(arg)).at(-1) ?? "";
    return [effect(tool.kind, command, tool.why, { target })];
  };
}

/** A mirror deletes at the target what the source does not have. */
function robocopy(command: Command, scene: Scene): readonly Effect[] {
  const flags = command.args.filter((arg) => arg?.startsWith("/")).map((arg) => arg?.toLowerCase());
  const [, to] = command.argv.slice(1).filter(({ text }) => !/^\/[a-z]/i.test(text));
  if (!to || flags.includes("/l") || !flags.some((flag) => flag === "/mir" || flag === "/purge")) return [];
  const why = `deletes everything in ${to.text} that the source does not have`;
  if (/^[A-Za-z]:|\\/.test(to.text)) return [effect("delete-tree", command, why, { target: to.text })];
  return pathsOf(to, command, scene).map((path) => effect("delete-tree", command, why, path));
}

export const WINDOWS_TOOLS: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(Object.entries(TOOLS).map(([name, tool]) => [name, family(tool)])),
  robocopy,
};
