import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Family } from "../../effect.ts";

/** Without one of these a system does not start, or nobody can repair it. */
const ESSENTIAL =
  /^(?:libc6?|glibc|musl|bash|dash|coreutils|util-linux|systemd|init|sudo|login|passwd|dpkg|rpm|pacman|apt|apk-tools|linux-image\S*|linux|kernel\S*|grub\S*|python3?|perl-base|\*)(?::\w+)?$/;

/** Servers whose packages, when purged, take or offer to take the data along. */
const KEEPS_DATA =
  /^(?:postgresql|mysql(?:-community)?-server|mysql(?=[-.*])|mariadb-server|percona-server-server|mongodb(?:-server)?|redis(?:-server)?|slapd|couchdb|rabbitmq-server)(?:-[\d.]+)?(?:[.-]?\*)?(?::\w+)?$/;
const PURGES = /^(?:purge|autopurge|-P|--purge)$/;

/** A package manager that removes packages with this word. */
export const essentialPackages =
  (verb: RegExp): Family =>
  (command) =>
    removed(command, verb);

function removed(command: Command, verb: RegExp): readonly Effect[] {
  const { args } = command;
  if (args.some((arg) => /^(?:-s|--simulate|--dry-run|--print|-n|--no-act|--test)$/.test(arg ?? ""))) return [];
  if (!args.some((arg) => verb.test(arg ?? ""))) return [];
  const vital = args.find((arg) => ESSENTIAL.test(arg ?? ""));
  const server = args.some((arg) => PURGES.test(arg ?? ""))
    ? command.argv.find(({ text }) => KEEPS_DATA.test(text))?.text
    : undefined;
  if (server !== undefined)
    return [
      effect("destroy-database", command, `removes ${server}, with the data it keeps`, {
        target: server,
        instead: "remove the package without its data, or take a backup first",
      }),
    ];
  return vital === undefined
    ? []
    : [effect("delete-tree", command, `removes ${vital}, without which the system does not work`, { target: vital })];
}
