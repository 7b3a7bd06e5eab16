import type { Word } from "../command.ts";
import { type Launch, SAME_STATUS } from "./launch.ts";

/** Options of bwrap by how many values they take; all others take none. */
const VALUES: readonly (readonly [count: number, names: RegExp])[] = [
  [3, /^--overlay$/],
  [2, /^--(?:(?:ro-|dev-)?bind(?:-try|-data|-fd)?|ro-bind-data|symlink|setenv|file|chmod)$/],
  [
    1,
    /^--(?:dev|proc|tmpfs|mqueue|dir|chdir|unsetenv|hostname|uid|gid|remount-ro|overlay-src|tmp-overlay|ro-overlay|args|argv0|userns2?|pidns|lock-file|sync-fd|info-fd|json-status-fd|block-fd|userns-block-fd|seccomp|add-seccomp-fd|exec-label|file-label|cap-add|cap-drop|perms|size)$/,
  ],
];

/** `bwrap --bind / / command`: without a writable bind mount the command can lose nothing, and is not listed. */
export function bwrap(args: readonly Word[]): readonly Launch[] {
  let at = 0;
  let isWritten = false;
  let folder: Word | undefined;
  for (; args[at]?.text.startsWith("-"); at++) {
    const option = args[at]?.text ?? "";
    if (option === "--") {
      at++;
      break;
    }
    isWritten ||= /^--(?:dev-)?bind(?:-try|-fd)?$/.test(option);
    if (option === "--chdir") folder = args[at + 1];
    at += VALUES.find(([, names]) => names.test(option))?.[0] ?? 0;
  }
  const words = args.slice(at);
  return isWritten && words.length > 0 ? [{ ...SAME_STATUS, words, folder }] : [];
}
