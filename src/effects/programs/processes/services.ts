import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { operandsOf } from "../../line/words.ts";
import { everything, stopsAllListed } from "./killing.ts";
import { stopsMachine } from "./power-off.ts";

const CRITICAL =
  /^(?:sshd?|networking|NetworkManager|systemd-.*|dbus|firewalld|ufw|nftables|iptables|fail2ban|auditd)(?:\.service)?$/;

export function systemctlCommands(command: Command, scene: Scene): readonly Effect[] {
  const [verb, ...units] = operandsOf(command).map((word) => word.text);
  if (/^(?:poweroff|reboot|halt|kexec|emergency|rescue|exit)$/.test(verb ?? "")) return [stopsMachine(command)];
  if (verb === "isolate") return [stopsMachine(command)];
  if (!/^(?:stop|disable|mask|kill)$/.test(verb ?? "")) return [];
  if (stopsAllListed(command, scene)) return [everything(command, "stops every service that is listed")];
  const unit = units.find((name) => CRITICAL.test(name) || /^\*(?:\.service)?$/.test(name));
  return unit
    ? [effect("kill-everything", command, `stops ${unit}, which other programs rely on`, { target: unit })]
    : [];
}

/** `service ssh stop` */
export function stoppedService(command: Command): readonly Effect[] {
  const [name = "", verb] = command.args;
  return verb === "stop" && CRITICAL.test(name)
    ? [everything(command, `stops ${name}, which other programs rely on`)]
    : [];
}
