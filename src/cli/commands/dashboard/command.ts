import type { CliCommand } from "../../command.ts";
import { distFolder } from "../../installation/current-build.ts";

export const dashboardCommand: CliCommand = {
  name: "dashboard",
  summary: "Shows in the browser what all agents do, what was stopped and why.",
  usage: "dashboard [--no-open] [--port N] [--listen HOST:PORT]",
  details: [
    "Prints an address that works once, opens it in the browser, and runs until Ctrl-C. It can be reached from this",
    "machine and by you only. No hook waits for it: it reads what hooks have recorded.",
    "",
    "With --listen a browser on another machine, such as a phone, can use it too: at exactly this address, encrypted, and",
    "after its person has typed the code that is printed. Compare the fingerprint before you go past the browser's warning.",
  ].join("\n"),
  options: {
    "no-open": { type: "boolean", description: "Only print the address." },
    listen: { type: "string", value: "HOST:PORT", description: "Also listen for other machines, at this address." },
    port: { type: "string", value: "N", description: "Listen on this port; without it on any free one." },
  },
  async run(context) {
    const { runDashboard } = await import("./run.ts");
    const stop = new AbortController();
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(name, () => stop.abort());
    return runDashboard(context, { dist: distFolder, signal: stop.signal });
  },
};
