import { findSecrets, type Secret } from "../../core/secrets/find.ts";
import { sentTo } from "../../effects/across-commands/sent-secrets.ts";
import { writtenPaths } from "../../effects/files/written-paths.ts";
import { pipedFrom } from "../../effects/line/secrets.ts";
import type { Command } from "../../shell/command.ts";
import type { Shell } from "../../shell/shell.ts";
import { isEcho, isOutputVisible, printsInput } from "./visible-output.ts";

/** Where a secret on a command line goes. */
export type LineLeak =
  | { readonly how: "written"; readonly secret: Secret; readonly path: string }
  | { readonly how: "printed" | "committed"; readonly secret: Secret }
  | { readonly how: "posted"; readonly secret: Secret; readonly to: string };

export function lineLeaks(shell: Shell, cwd: string): readonly LineLeak[] {
  const carriers = new Map<Command, Secret>();
  for (const command of shell.commands) {
    const [secret] = findSecrets(commandText(command));
    if (secret) carriers.set(command, secret);
  }
  if (carriers.size === 0) return [];
  const written = writtenPaths(shell, cwd);
  return shell.commands.flatMap((command): LineLeak[] => {
    const own = carriers.get(command);
    const secret =
      own ??
      pipedFrom(command)
        .map((before) => carriers.get(before))
        .find((one) => one !== undefined);
    if (!secret) return [];
    const paths = written.flatMap(({ by, path }) => (by === command && path !== undefined ? [path] : []));
    if (paths.length > 0) return paths.map((path) => ({ how: "written", secret, path }));
    const to = sentTo(command, (text) => findSecrets(text).length > 0, own === undefined);
    if (to !== undefined) return [{ how: "posted", secret, to }];
    if (!own) return [];
    if (command.program === "git" && command.args.some((arg) => arg === "commit" || arg === "tag" || arg === "notes"))
      return [{ how: "committed", secret }];
    const isPrinted =
      (isEcho(command) || (printsInput(command) && hasBody(command))) && isOutputVisible(command, shell);
    return isPrinted ? [{ how: "printed", secret }] : [];
  });
}

/** The command's words and here-documents. With a leading space, because patterns for options expect one. */
function commandText(command: Command): string {
  let whole = "";
  for (const { text } of command.argv) whole += ` ${text}`;
  for (const { body } of command.redirections) if (body) whole += `\n${body.text}`;
  return whole;
}

function hasBody({ redirections }: Command): boolean {
  return redirections.some(({ body }) => body !== undefined);
}
