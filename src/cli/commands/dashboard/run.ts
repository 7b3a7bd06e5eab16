import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, HookwrightError } from "../../../core/errors.ts";
import { startDashboard } from "../../../daemon/dashboard/server.ts";
import { dashboardFile, dashboardFolder, dashboardOf } from "../../../domain/tools/dashboard-ports.ts";
import { makeFolder } from "../../../system/make-folder.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { isAlive } from "../../state/processes.ts";
import { dashboardActions } from "./actions.ts";
import { openInBrowser } from "./open-in-browser.ts";

const HIGHEST_PORT = 65_535;

export interface DashboardParts {
  readonly dist: string;
  /** Ends the dashboard. */
  readonly signal: AbortSignal;
}

export async function runDashboard(context: CommandContext, { dist, signal }: DashboardParts): Promise<number> {
  const { env, options, out, err } = context;
  const port = readPort(options.port);
  const home = homeOf(env);
  const page = { forget: (): void => undefined };
  const dashboard = await startDashboard({
    database: home.database,
    search: home.search,
    pages: path.join(dist, "ui"),
    port,
    uid: system.uid,
    actions: dashboardActions(context, dist),
    where: { env: (name) => env[name], userHome: env.HOME || os.homedir() },
    onEnter: () => page.forget(),
    log: (line) => err(`hookwright dashboard: ${line}`),
  }).catch((error: unknown) => {
    throw new HookwrightError("HW_DASHBOARD_PORT", { port: port || "any", detail: describe(error) }, error);
  });
  try {
    const forget = markPort(home.root, dashboard.port);
    if (options["no-open"] !== true) page.forget = openInBrowser(dashboard.url, home, env);
    out(`The dashboard runs until Ctrl-C. Open this address in your browser; it works once:\n\n  ${dashboard.url}\n`);
    await ended(signal);
    page.forget();
    forget();
  } finally {
    await dashboard.close();
  }
  return 0;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
}

/** Tells hooks the port, so that they keep agents from it. Removes the marks of dashboards that were killed. */
function markPort(home: string, port: number): () => void {
  const folder = dashboardFolder(home);
  makeFolder(folder, 0o700);
  for (const name of fs.readdirSync(folder)) {
    const other = dashboardOf(name);
    if (other && !isAlive(other.pid)) fs.rmSync(path.join(folder, name), { force: true });
  }
  const file = dashboardFile(home, port, process.pid);
  fs.writeFileSync(file, "", { mode: 0o600 });
  return () => fs.rmSync(file, { force: true });
}

function readPort(given: CommandContext["options"][string]): number {
  if (given === undefined) return 0;
  const port = Number(given);
  if (Number.isInteger(port) && port > 0 && port <= HIGHEST_PORT) return port;
  throw new HookwrightError("HW_USAGE", {
    detail: `\`--port\` takes a port number, not \`${given}\`.`,
    command: "dashboard",
  });
}
