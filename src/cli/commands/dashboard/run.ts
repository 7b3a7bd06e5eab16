import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, HookwrightError } from "../../../core/errors.ts";
import { certificateFor } from "../../../daemon/dashboard/http/certificate.ts";
import { type Dashboard, type DashboardOptions, startDashboard } from "../../../daemon/dashboard/server.ts";
import { dashboardFile, dashboardFolder, dashboardOf } from "../../../domain/tools/dashboard-ports.ts";
import { makeFolder } from "../../../system/make-folder.ts";
import { system } from "../../../system/system.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { isAlive } from "../../state/processes.ts";
import { dashboardActions } from "./actions.ts";
import { listenAddress, portNumber } from "./listen-address.ts";
import { openInBrowser } from "./open-in-browser.ts";

export interface DashboardParts {
  readonly dist: string;
  /** Ends the dashboard. */
  readonly signal: AbortSignal;
}

export async function runDashboard(context: CommandContext, { dist, signal }: DashboardParts): Promise<number> {
  const { env, options, out, err } = context;
  const port = options.port === undefined ? 0 : portNumber(String(options.port), "--port");
  const home = homeOf(env);
  const remote = remoteFor(options.listen, home.root);
  const page = { forget: (): void => undefined };
  const dashboard = await startDashboard({
    database: home.database,
    search: home.search,
    pages: path.join(dist, "ui"),
    port,
    uid: system.uid,
    remote,
    actions: dashboardActions(context, dist),
    fleet: home.fleet,
    where: { env: (name) => env[name], userHome: env.HOME || os.homedir() },
    onEnter: () => page.forget(),
    log: (line) => err(`hookwright dashboard: ${line}`),
  }).catch((error: unknown) => {
    const where = remote ? `${port || "any"}, or at ${String(options.listen)}` : port || "any";
    throw new HookwrightError("HW_DASHBOARD_PORT", { port: where, detail: describe(error) }, error);
  });
  try {
    const ports = [dashboard.port, ...(dashboard.remote ? [dashboard.remote.port] : [])];
    const marks = ports.map((one) => markPort(home.root, one));
    if (options["no-open"] !== true) page.forget = openInBrowser(dashboard.url, home, env);
    out(`The dashboard runs until Ctrl-C. Open this address in your browser; it works once:\n\n  ${dashboard.url}\n`);
    if (dashboard.remote) out(remoteText(dashboard.remote, remote?.certificate.fingerprint ?? ""));
    await ended(signal);
    page.forget();
    for (const forget of marks) forget();
  } finally {
    await dashboard.close();
  }
  return 0;
}

/** With the certificate for the address, which is made at the first use. */
function remoteFor(given: CommandContext["options"][string], home: string): DashboardOptions["remote"] {
  if (given === undefined) return undefined;
  const { host, port } = listenAddress(String(given));
  return { host, port, certificate: certificateFor(host, dashboardFolder(home), Date.now()) };
}

function remoteText({ url, code }: NonNullable<Dashboard["remote"]>, fingerprint: string): string {
  return [
    `From another machine:  ${url}`,
    `  code         ${code}, which works once and for five minutes`,
    `  fingerprint  ${fingerprint} (SHA-256)`,
    "The browser warns of the certificate, because this machine has made it. Go on only if the fingerprint is the same.\n",
  ].join("\n");
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
