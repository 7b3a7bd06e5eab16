import type { Command } from "../command.ts";
import { SHELLS } from "../launchers.ts";
import { type Effect, effect, type Family, type Scene } from "./effect.ts";

const CONNECTORS = /^(?:nc|ncat|netcat|nc\.traditional|nc\.openbsd|telnet|socat|openssl)$/;
const GIVES_SHELL = "gives a shell on this machine to whoever is at the other end";
const SOCKET = /^\/dev\/(?:tcp|udp)\//;

/** Programs that can hand a shell to a connection. */
export const GIVEN_SHELLS: Readonly<Record<string, Family>> = {
  nc: netcat,
  ncat: netcat,
  netcat,
  "nc.traditional": netcat,
  socat: (command) => (command.args.some((arg) => /^(?:exec|system|shell):/i.test(arg ?? "")) ? [given(command)] : []),
  ttyd: (command) => [given(command)],
  gotty: (command) => [given(command)],
  sshx: (command) => [given(command)],
  upterm: (command) => (command.args[0] === "host" ? [given(command)] : []),
  "gs-netcat": (command) => [given(command)],
  tmate: (command) => (command.args.includes("-V") ? [] : [given(command)]),
  telnetd: (command) => [given(command)],
  xterm: (command) => (command.args.some((arg) => /^[\w.-]+:\d+/.test(arg ?? "")) ? [given(command)] : []),
};

function given(command: Command): Effect {
  return effect("remote-code", command, GIVES_SHELL, { instead: "ask the person to open the connection themselves" });
}

function netcat(command: Command): readonly Effect[] {
  return command.args.some((arg) => /^(?:-\w*[ec]|--exec|--sh-exec|--lua-exec)(?:=|$)/.test(arg ?? ""))
    ? [given(command)]
    : [];
}

/** Shells whose input or output is a connection, whatever they are joined with. */
export function givenShells({ shell }: Scene): readonly Effect[] {
  const active = shell.commands.filter((command) => !command.uncertain.includes("uncalled"));
  const opens = active.some(
    (command) =>
      command.program === "exec" && command.redirections.some(({ target }) => SOCKET.test(target?.text ?? "")),
  );
  return active.flatMap((command) => {
    const isShell = SHELLS.has(command.program ?? "");
    const socket = command.redirections.some(({ target }) => SOCKET.test(target?.text ?? ""));
    if (isShell && socket && !command.wraps) return [given(command)];
    // A connection opened before, then a shell or unknown words that are run.
    if (opens && ((isShell && !command.wraps) || command.program === undefined || command.program === "eval"))
      return [given(command)];
    if (isShell && command.upstream.some(connects)) return [given(command)];
    if (connects(command) && command.upstream.some((one) => SHELLS.has(one.program ?? "") && !one.wraps))
      return [given(command)];
    return [];
  });
}

function connects({ program = "", args }: Command): boolean {
  return CONNECTORS.test(program) && (program !== "openssl" || args[0] === "s_client");
}
