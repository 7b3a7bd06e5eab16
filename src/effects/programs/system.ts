import type { Command, Word } from "../../shell/command.ts";
import { readOptions } from "../../shell/options.ts";
import { type Effect, effect, effectsOfEach, type Family, pathsOf, type Scene } from "../effect.ts";
import { foundFor } from "../line/listed.ts";
import { isPlace } from "../line/places.ts";
import { has, operandsOf, optionsOf } from "../line/words.ts";
import { named, type Rule, toolFamily } from "../tool.ts";
import { everything, kill, stopsAllListed } from "./killing.ts";

const ends = (rules: readonly Rule[]): Family => toolFamily({ kind: "kill-everything", rules });
const EVERY_ONE = "ends every process that it manages";
/** Programs that keep others running. */
const SUPERVISORS: Readonly<Record<string, Family>> = {
  pm2: ends([
    ["delete|del all", `${EVERY_ONE}, and removes them from its list`],
    ["kill", EVERY_ONE],
  ]),
  supervisorctl: ends([
    ["stop all", EVERY_ONE],
    ["shutdown", EVERY_ONE],
  ]),
  forever: ends([["stopall", EVERY_ONE]]),
};

/** Programs that change the machine itself. */
export const SYSTEM: Readonly<Record<string, Family>> = {
  chmod,
  chown: owners,
  chgrp: owners,
  setfacl: owners,
  kill,
  pkill: killByName,
  killall: killByName,
  killall5: (command) => [everything(command, "ends every process")],
  skill: killByName,
  shutdown: (command) => (command.args.some((arg) => /^(?:-c|--show|-k|[/-]a)$/.test(arg ?? "")) ? [] : off(command)),
  kexec: (command) => (command.args.some((arg) => arg === "-e" || arg === "--exec") ? off(command) : []),
  reboot: (command) => off(command),
  poweroff: (command) => off(command),
  halt: (command) => off(command),
  init: (command) => (/^[016]$/.test(command.args[0] ?? "") ? off(command) : []),
  telinit: (command) => (/^[016]$/.test(command.args[0] ?? "") ? off(command) : []),
  systemctl,
  service: (command) =>
    command.args[1] === "stop" && CRITICAL.test(command.args[0] ?? "")
      ? [everything(command, `stops ${command.args[0]}, which other programs rely on`)]
      : [],
  slay: (command) => [everything(command, "ends every process of a user")],
  ...named("dbus-send busctl gdbus", (command) =>
    off(command, /(?:^|\.)(?:PowerOff|Reboot|Halt|KExec)(?:WithFlags)?$/),
  ),
  "iptables-restore": (command) =>
    command.redirections.some(({ operator, target }) => operator === "<" && target?.text === "/dev/null")
      ? [noRules(command)]
      : [],
  loginctl: (command) =>
    /^(?:terminate|kill)-(?:user|session|seat)$/.test(command.args[0] ?? "")
      ? [everything(command, "ends every process of a user")]
      : off(command, /^(?:poweroff|reboot|halt)$/),
  tmux: (command) =>
    command.args.includes("kill-server") ? [everything(command, "ends every tmux session of this server")] : [],
  ...SUPERVISORS,
  userdel: account,
  deluser: account,
  groupdel: account,
  delgroup: account,
  passwd: (command) =>
    command.args.some((arg) => arg === "-d" || arg === "--delete")
      ? [
          effect("permission-blast", command, "lets an account log in without a password", {
            target: command.args.at(-1) ?? "",
          }),
        ]
      : [],
  iptables: firewall,
  ip6tables: firewall,
  "iptables-legacy": firewall,
  nft: (command) => (command.args[0] === "flush" ? [noRules(command)] : []),
  ufw: (command) => (command.args.some((arg) => arg === "disable" || arg === "reset") ? [noRules(command)] : []),
};

/** Permissions that leave everybody or nobody in. */
const BLUNT = /^(?:[0-7]?(?:777|666|000)|0|a[-=](?:rwx)?|a\+rwx|ugo[-=+]rwx|[ugoa]*=|-rwx|\+w|[ao]+\+[rx]*w[rx]*)$/;
/** Those of any folder one works with: what its owner may do, what others may read. */
const USUAL = /^(?:0?(?:7[57][05]|6[46][04]|700|600)|[ugo]*a?\+[rxX]+|u\+[rwxX]+|u?g\+[rwxX]+|(?:g|o|go|og)-[rwx]+)$/;
/** `$x/`, which is the root where nothing is in it. */
const MAY_BE_ROOT = /^["']?\$\{?\w+\}?["']?\/\*?$/;
const SETUID = /^(?:[24-7][0-7]{3}|[ugoa]*\+[rwx]*s[rwx]*)$/;

function chmod(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const [mode, ...rest] = has(options, "reference")
    ? [undefined, ...options.operands]
    : modeOf(command, options.operands);
  const recursive = has(options, "R recursive");
  return effectsOfEach(rest, (word) => {
    const found = foundFor(word, command, scene);
    const roots = found
      ? found.roots.flatMap((root) => pathsOf(root, found.command, scene))
      : pathsOf(word, command, scene);
    return roots.flatMap((path) => {
      const place = path.path ?? path.inside;
      const wide = place !== undefined && isPlace(place, scene);
      const blunt = mode?.split(",").some((one) => BLUNT.test(one));
      const unknown =
        place === undefined && !(mode?.split(",").every((one) => USUAL.test(one)) && !MAY_BE_ROOT.test(path.target));
      if ((recursive || found) && (wide || blunt || unknown))
        return [
          effect("permission-blast", command, `changes the permissions of everything under ${path.target}`, {
            ...path,
            instead: "change single files, and only the permission bits that are needed",
          }),
        ];
      const setuid =
        mode !== undefined &&
        SETUID.test(mode) &&
        /^\/(?:usr\/)?s?bin\/|\/(?:ba|z|da|k)?sh$|^\/(?:var\/)?tmp\/|^\/dev\/shm\//.test(place ?? "");
      const open =
        (blunt || mode === "-x" || mode === "a-x") && /^\/(?:etc|usr|s?bin|lib\d*|boot|dev|var)\b/.test(place ?? "");
      // A program that runs as its owner is none the safer for lying among temporary files.
      if (setuid)
        return [
          effect("permission-blast", command, `lets every user run ${path.target} with the rights of its owner`, {
            target: path.target,
          }),
        ];
      return open || (blunt && wide)
        ? [effect("permission-blast", command, `changes what everybody may do with ${path.target}`, path)]
        : [];
    });
  });
}

/** `chmod -x file`: a mode may look like an option. */
function modeOf(command: Command, operands: readonly Word[]): [string | undefined, ...Word[]] {
  const dashed = command.argv.slice(1).find((word) => /^-[rwxXst]+$/.test(word.text));
  return dashed ? [dashed.text, ...operands] : [operands[0]?.text, ...operands.slice(1)];
}

function owners(command: Command, scene: Scene): readonly Effect[] {
  const letters =
    command.program === "setfacl" ? { short: "bkRm:x:", long: "recursive remove-all modify: remove:" } : undefined;
  const options = letters ? readOptions(command.argv.slice(1), letters, true) : optionsOf(command);
  const words = letters || has(options, "reference") ? options.operands : options.operands.slice(1);
  return words.flatMap((word) => {
    const found = foundFor(word, command, scene);
    if (!found && !has(options, "R recursive")) return [];
    const roots = found
      ? found.roots.flatMap((root) => pathsOf(root, found.command, scene))
      : pathsOf(word, command, scene);
    return roots
      .filter(({ path, inside }) => isPlace(path ?? inside ?? "", scene))
      .map((path) =>
        effect("permission-blast", command, `changes who owns or may use everything under ${path.target}`, path),
      );
  });
}

const VITAL =
  /^(?:systemd.*|init|launchd|sshd?|dbus(?:-daemon)?|Xorg|Xwayland|gnome-shell|kwin\w*|plasmashell|login|WindowServer|loginwindow|(?:ba|z|da|k|fi)?sh|tmux|screen|claude|dockerd|containerd|kubelet)$/;

function killByName(command: Command): readonly Effect[] {
  const options = readOptions(
    command.argv.slice(1),
    {
      short: "0123456789eqwfxinovcIlVrHUPKABDEGJLMNOQRSTXZg:G:P:s:t:u:y:z:",
      long: "signal: exact full ignore-case newest oldest user: euid: uid: group: pgroup: session: terminal: parent: regexp verbose wait quiet interactive list inverse",
    },
    true,
  );
  if (has(options, "l list i interactive") && command.program === "killall") return [];
  const patterns = options.operands.filter(
    (word) => !/^(?:SIG)?(?:KILL|TERM|HUP|INT|QUIT|USR[12]|\d+)$/.test(word.text),
  );
  const narrowed = has(options, "P t parent terminal g pgroup");
  // All but those it names.
  if (has(options, "v inverse") && command.program === "pkill")
    return [everything(command, "ends every other process")];
  if (patterns.length === 0 && has(options, "u U user euid uid") && !narrowed)
    return [everything(command, "ends every process of a user")];
  const broad = patterns.find(({ text }) => /^[.^*$+]*$/.test(text) || VITAL.test(text));
  return broad ? [everything(command, `ends every process that matches "${broad.text}"`)] : [];
}

function off(command: Command, verbs?: RegExp): readonly Effect[] {
  if (verbs && !command.args.some((arg) => verbs.test(arg ?? ""))) return [];
  return [everything(command, "stops the machine")];
}

const CRITICAL =
  /^(?:sshd?|networking|NetworkManager|systemd-.*|dbus|firewalld|ufw|nftables|iptables|fail2ban|auditd)(?:\.service)?$/;

function systemctl(command: Command, scene: Scene): readonly Effect[] {
  const [verb, ...units] = operandsOf(command).map((word) => word.text);
  if (/^(?:poweroff|reboot|halt|kexec|emergency|rescue|exit)$/.test(verb ?? "")) return off(command);
  if (verb === "isolate") return off(command);
  if (!/^(?:stop|disable|mask|kill)$/.test(verb ?? "")) return [];
  if (stopsAllListed(command, scene)) return [everything(command, "stops every service that is listed")];
  const unit = units.find((name) => CRITICAL.test(name) || /^\*(?:\.service)?$/.test(name));
  return unit
    ? [effect("kill-everything", command, `stops ${unit}, which other programs rely on`, { target: unit })]
    : [];
}

function account(command: Command): readonly Effect[] {
  const name = operandsOf(command).at(-1)?.text ?? "";
  return [effect("delete-tree", command, `removes the account ${name}`, { target: name })];
}

function firewall(command: Command): readonly Effect[] {
  return command.args.some((arg) => arg === "-F" || arg === "--flush" || arg === "-X" || arg === "--delete-chain")
    ? [noRules(command)]
    : [];
}

function noRules(command: Command): Effect {
  return effect("permission-blast", command, "deletes firewall rules", { target: "firewall" });
}
