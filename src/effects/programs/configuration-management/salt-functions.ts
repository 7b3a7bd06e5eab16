import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { textWithPlaceholders } from "../../line/line-text.ts";
import { readLoosely } from "../../loose-options.ts";

/** Functions of salt's modules that lose something, by their own names. */
const SALT_LOSES =
  /^(?:file\.(?:remove|rmdir|truncate)|pkg\.purge|system\.(?:poweroff|shutdown|halt|reboot|init)|user\.delete|group\.delete|state\.sls_id_absent|\w+\.(?:db_remove|user_remove|drop_\w+|destroy\w*|purge\w*|delete_\w+|rm_\w+|lvremove|vgremove|mkfs\w*))$/;

/** `salt '*' cmd.run 'text'`, `salt '*' file.remove path` */
export function saltFunctions(command: Command, scene: Scene): readonly Effect[] {
  const { operands } = readLoosely(command.argv.slice(1), "t timeout b batch-size out output");
  if (operands.some(({ text }) => /^test=true$/i.test(text))) return [];
  const at = operands.findIndex(({ text }) => /^cmd\.(?:run|shell|run_all|run_stdout|script)$/.test(text));
  if (at >= 0) return scene.nested(textWithPlaceholders(operands[at + 1]) ?? "", { ...command, remote: true });
  const call = operands.findIndex(({ text }, index) => index < 2 && SALT_LOSES.test(text));
  if (call < 0) return [];
  const target = operands[call + 1]?.text ?? "";
  return [effect("delete-tree", command, `runs ${operands[call]?.text} for ${target}`.trim(), { target })];
}
