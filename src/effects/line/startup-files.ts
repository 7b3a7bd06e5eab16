import type { Command } from "../../shell/command.ts";

/** Schedule files of cron. */
export const SCHEDULED = /^\/etc\/(?:crontab|anacrontab|cron\.d\/[^/]+)$|^\/var\/spool\/cron\//;

/** Files that a shell or git runs at its next start. */
export const STARTUP_FILES =
  /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zprofile|zshenv|zlogin|zlogout)$|^\/etc\/(?:profile|bash\.bashrc|rc\.local|profile\.d\/[^/]+)$|(?:^|\/)\.git\/hooks\/[a-z-]+$/;

export const RUN_AUTOMATICALLY: readonly RegExp[] = [SCHEDULED, STARTUP_FILES];

/** Whether a command writes its output, or tee its input, into such a file. */
export function writesTo({ redirections, program, args }: Command, places: RegExp | readonly RegExp[]): boolean {
  if (redirections.length === 0 && program !== "tee") return false;
  const fits = (text: string): boolean => [places].flat().some((place) => place.test(text));
  return (
    redirections.some(({ operator, target }) => operator.startsWith(">") && fits(target?.text ?? "")) ||
    (program === "tee" && args.some((arg) => fits(arg ?? "")))
  );
}
