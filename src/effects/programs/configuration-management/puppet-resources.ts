import type { Command } from "../../../shell/command.ts";
import { type Effect, effect } from "../../effect.ts";
import { readLoosely } from "../../loose-options.ts";

/** `puppet resource file /srv ensure=absent` */
export function puppetResources(command: Command): readonly Effect[] {
  const { operands, given } = readLoosely(command.argv.slice(1));
  const [verb, type, name] = operands.map(({ text }) => text);
  const absent = operands.some(({ text }) => /^ensure=(?:absent|purged)$/.test(text));
  if (verb !== "resource" || !absent || given.has("noop")) return [];
  return /^(?:file|user|group|mount|logical_volume|volume_group|filesystem|database|mysql_\w+|postgresql_\w+)$/.test(
    type ?? "",
  )
    ? [effect("delete-tree", command, `removes the ${type} ${name}`, { target: name ?? "" })]
    : [];
}
