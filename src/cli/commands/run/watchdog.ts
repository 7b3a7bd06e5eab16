import readline from "node:readline";
import { endProcess } from "./end-process.ts";

// A process of its own beside the wrapper: it ends the agent when it is asked to, and when the wrapper has died and
// nobody would take care of the agent any more. The wrapper says on standard input which process the agent is.

let agent = 0;
let ending: Promise<void> | undefined;

function endAgent(): Promise<void> {
  if (agent === 0) return Promise.resolve();
  ending ??= endProcess(agent).finally(() => {
    ending = undefined;
  });
  return ending;
}

// The keys that interrupt go to everything in the terminal, and are meant for the agent.
for (const name of ["SIGINT", "SIGQUIT", "SIGTSTP", "SIGHUP", "SIGTERM"] as const) process.on(name, () => undefined);
process.on("SIGUSR1", () => void endAgent());

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  agent = Number(/^agent (\d+)$/.exec(line)?.[1] ?? 0);
});
// The other end is closed when the wrapper is done, and when it was killed.
lines.on("close", () => void endAgent().then(() => process.exit(0)));
process.stdout.write("ready\n");
