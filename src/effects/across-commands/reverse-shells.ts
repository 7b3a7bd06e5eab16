import type { Command, Word } from "../../shell/command.ts";
import { SHELLS } from "../../shell/launch/launchers.ts";
import { type Effect, effect, type Family, type Scene } from "../effect.ts";

const CONNECTORS = /^(?:nc|ncat|netcat|nc\.traditional|nc\.openbsd|telnet|socat|openssl)$/;
const GIVES_SHELL = "opens a shell on this machine for the other end of a network connection";
const SOCKET = /^\/dev\/(?:tcp|udp)\//;

/** Programs that can connect a shell to the network. */
export const REVERSE_SHELLS: Readonly<Record<string, Family>> = {
  nc: netcat,
  ncat: netcat,
  netcat,
  "nc.traditional": netcat,
  socat: (command) => (command.args.some((arg) => /^(?:exec|system|shell):/i.test(arg ?? "")) ? [given(command)] : []),
  websocketd: (command) => (command.args.some((arg) => SHELLS.has(arg ?? "")) ? [given(command)] : []),
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

/** Without a command it starts a shell, and so does a shell without a script. */
export function isBareShell([program, ...args]: readonly Word[]): boolean {
  if (!program) return true;
  return (
    SHELLS.has(program.text.slice(program.text.lastIndexOf("/") + 1)) &&
    args.every(({ text }) => /^-[il]+$|^--login$/.test(text))
  );
}

/** In a container, at the root of the machine around it. */
export function hostShell(command: Command): Effect {
  return effect("remote-code", command, "gives the container root access to the host machine", {
    instead: "mount only the folder that is needed",
  });
}

function netcat(command: Command): readonly Effect[] {
  return command.args.some((arg) => /^(?:-\w*[ec]|--exec|--sh-exec|--lua-exec)(?:=|$)/.test(arg ?? ""))
    ? [given(command)]
    : [];
}

/** Shells whose input or output is a network connection. */
export function reverseShells({ shell }: Scene): readonly Effect[] {
  // Most lines have no connection, and then nothing can be joined with one.
  if (!shell.commands.some((command) => connects(command) || hasSocket(command) || command.program === "ztcp"))
    return [];
  const active = shell.commands.filter((command) => !command.uncertain.includes("uncalled"));
  const connected = partOf(connects);
  const shells = partOf((one) => SHELLS.has(one.program ?? "") && !one.wraps);
  const opens = active.some(
    (command) =>
      (command.program === "exec" && hasSocket(command)) ||
      (command.program === "ztcp" && !command.args.includes("-l")),
  );
  return active.flatMap((command) => {
    const isShell = SHELLS.has(command.program ?? "");
    if (isShell && hasSocket(command) && !command.wraps) return [given(command)];
    // A connection opened before, then a shell or unknown words that are run.
    if (opens && ((isShell && !command.wraps) || command.program === undefined || command.program === "eval"))
      return [given(command)];
    if (isShell && connected(command.upstream)) return [given(command)];
    if (connects(command) && shells(command.upstream)) return [given(command)];
    return [];
  });
}

/** All commands of one part of a pipe share what stands before it, so the answer is kept. */
function partOf(test: (command: Command) => boolean): (part: readonly Command[]) => boolean {
  const known = new Map<readonly Command[], boolean>();
  return (part) => {
    const answer = known.get(part) ?? part.some(test);
    known.set(part, answer);
    return answer;
  };
}

function hasSocket({ redirections }: Command): boolean {
  return redirections.some(({ target }) => SOCKET.test(target?.text ?? ""));
}

function connects({ program = "", args }: Command): boolean {
  return CONNECTORS.test(program) && (program !== "openssl" || args[0] === "s_client");
}
