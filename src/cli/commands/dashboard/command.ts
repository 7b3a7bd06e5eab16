import type { CliCommand } from "../../command.ts";
import { distFolder } from "../../installation/current-build.ts";

export const dashboardCommand: CliCommand = {
  name: "dashboard",
  summary: "Shows in the browser what all agents do, what was stopped and why.",
  usage: "dashboard [--no-open] [--port N]",
  details: [
    "Prints an address that works once, opens it in the browser, and runs until Ctrl-C. It can be reached from this",
    "machine and by you only. No hook waits for it: it reads what hooks have recorded.",
  ].join("\n"),
  options: {
    "no-open": { type: "boolean", description: "Only print the address." },
    port: { type: "string", value: "N", description: "Listen on this port; without it on any free one." },
  },
  async run(context) {
    const { runDashboard } = await import("./run.ts");
    const stop = new AbortController();
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(name, () => stop.abort());
    return runDashboard(context, { dist: distFolder, signal: stop.signal });
  },
};
