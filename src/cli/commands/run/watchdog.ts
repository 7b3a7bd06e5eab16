import readline from "node:readline";
import { endProcess } from "./end-process.ts";

// A separate process beside the wrapper (`hookwright run`). It ends the agent on SIGUSR1, and when the wrapper has died.
// The wrapper writes the agent's pid to its standard input.

let agent = 0;
let ending: Promise<void> | undefined;

function endAgent(): Promise<void> {
  if (agent === 0) return Promise.resolve();
  ending ??= endProcess(agent).finally(() => {
    ending = undefined;
  });
  return ending;
}

// The terminal sends the signals of interrupt keys to all its processes; they are meant for the agent.
for (const name of ["SIGINT", "SIGQUIT", "SIGTSTP", "SIGHUP", "SIGTERM"] as const) process.on(name, () => undefined);
process.on("SIGUSR1", () => void endAgent());

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  agent = Number(/^agent (\d+)$/.exec(line)?.[1] ?? 0);
});
// Standard input is closed when the wrapper has ended or was killed.
lines.on("close", () => void endAgent().then(() => process.exit(0)));
process.stdout.write("ready\n");
