import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { textWithPlaceholders } from "../../line/line-text.ts";
import { readLoosely, valuesOf } from "../../loose-options.ts";

const ABSENT = /(?:^|\s)state=absent\b/;

/** `ansible hosts -m module -a arguments`: a shell on many machines. */
export function ansibleModules(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(
    command.argv.slice(1),
    "m module-name a args i inventory u user l limit f forks e extra-vars",
  );
  if (reading.given.has("C") || reading.given.has("check")) return [];
  const [module] = valuesOf(reading, "m module-name");
  const [args] = valuesOf(reading, "a args");
  const text = textWithPlaceholders(args) ?? "";
  const name = (module?.text ?? "command").split(".").at(-1) ?? "";
  if (/^(?:shell|command|raw|script)$/.test(name)) return scene.nested(text, { ...command, remote: true });
  const path = /(?:^|\s)(?:path|dest|name)=(\S+)/.exec(text)?.[1] ?? "";
  if (name === "file" && ABSENT.test(text))
    return [effect("delete-tree", command, `deletes ${path} on every host`, { target: path })];
  if (name === "reboot" || name === "win_reboot")
    return [effect("kill-everything", command, "restarts every host", { target: name })];
  const account = name === "user" && /(?:^|\s)remove=(?:yes|true)/.test(text);
  if (
    (account || /(?:_db|_user|_volume|_bucket|_instance|^lvol|^lvg|^zfs|^filesystem|^k8s|^helm)$/.test(name)) &&
    ABSENT.test(text)
  )
    return [effect("destroy-database", command, `removes ${path} on every host`, { target: path })];
  return [];
}
