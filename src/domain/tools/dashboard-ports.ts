import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";
import type { Command } from "../../shell/command.ts";

/** The folder in our home in which every dashboard that runs has an empty file. */
const FOLDER = "dashboards";
const NAME = /^(\d{1,5})-(\d+)$/;
/** Programs that take the host and the port as words of their own. */
const CONNECTORS = new Set(["nc", "ncat", "netcat", "telnet", "socat"]);
/** A port behind a host, or the file by which bash opens a connection. */
const PORT = /(?:[\w\]]:|\/dev\/(?:tcp|udp)\/[^/\s]+\/)(\d{1,5})(?!\d)/g;

export function dashboardFolder(home: string): string {
  return path.join(home, FOLDER);
}

/** The name tells hooks the port, and whether the dashboard is still there. */
export function dashboardFile(home: string, port: number, pid: number): string {
  return path.join(dashboardFolder(home), `${port}-${pid}`);
}

export function dashboardOf(name: string): { readonly port: number; readonly pid: number } | undefined {
  const [, port, pid] = NAME.exec(name) ?? [];
  return port === undefined ? undefined : { port: Number(port), pid: Number(pid) };
}

/** The ports that these texts name, as in `http://localhost:4000/` or `/dev/tcp/127.0.0.1/4000`. */
export function portsIn(texts: readonly string[]): readonly number[] {
  return texts.flatMap((text) => [...text.matchAll(PORT)].map(([, port]) => Number(port)));
}

/** The ports that a command may connect to, as far as its words tell. */
export function portsOf({ program, argv, redirections }: Command): readonly number[] {
  const words = argv.map(({ text }) => text);
  const bodies = redirections.flatMap(({ target, body }) => [target?.text ?? "", body?.text ?? ""]);
  const isConnector = CONNECTORS.has(path.basename(program ?? ""));
  const plain = isConnector ? words.filter((word) => /^\d{1,5}$/.test(word)).map(Number) : [];
  return [...portsIn([...words, ...bodies]), ...plain];
}

/** Is one of these the port of a dashboard that runs? The disk is looked at only where there is a port at all. */
export function isDashboardPort(
  ports: readonly number[],
  ctx: Pick<PolicyContext, "list" | "places" | "isAlive">,
): boolean {
  if (ports.length === 0) return false;
  const running = (ctx.list(dashboardFolder(ctx.places.home)) ?? []).flatMap((name) => dashboardOf(name) ?? []);
  return running.some(({ port, pid }) => ports.includes(port) && ctx.isAlive(pid));
}
