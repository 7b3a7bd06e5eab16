import type { CommandContext } from "../../command.ts";
import { configurationIn } from "../../installation/configuration.ts";
import { builtVersion, type Client, clientOf, homeOf } from "../../installation/installation.ts";
import type { SystemPlaces } from "../../installation/system-folders.ts";
import { askDaemon } from "../../state/daemon-client.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { type Style, styleFor, table } from "../../terminal/style.ts";
import { type Cost, clientAnswers, measureCost } from "./cost.ts";
import { engineProgram } from "./engine-program.ts";
import type { Finding } from "./finding.ts";
import { type FixSource, repair } from "./fix.ts";
import { goneProjects, installed, integrity, killSwitch, versions } from "./installed.ts";
import { projectFinding } from "./project.ts";
import { type DaemonState, type Runtime, runtime } from "./runtime.ts";
import { configuration, state } from "./state.ts";
import { teams } from "./teams.ts";
import type { DoctorWorld } from "./world.ts";

export interface DoctorParts {
  readonly dist: string;
  readonly packageRoot: string;
  readonly places: SystemPlaces;
  readonly terminal: Terminal;
  /** The number of timed runs of the client; 0 for none. */
  readonly runs: number;
  /** For tests: the source of the version folder. */
  readonly source?: FixSource;
}

interface Report {
  readonly ok: boolean;
  readonly client: Client;
  readonly daemon: DaemonState;
  readonly cost: Cost | null;
  /** The profiles in use in this folder. */
  readonly profiles: readonly string[];
  readonly findings: readonly Finding[];
  readonly fixed?: readonly string[];
}

export async function runDoctor(context: CommandContext, parts: DoctorParts): Promise<number> {
  const { options, env, cwd, out } = context;
  const { dist, packageRoot, places, terminal } = parts;
  const home = homeOf(env);
  const world: DoctorWorld = { home, env, cwd, dist, packageRoot, places, terminal, ...builtVersion(dist) };
  const progress = (step: string): void => context.progress?.(step);
  progress("Checking the daemon");
  let before = await runtime(world);
  let fixed: string[] | undefined;
  if (options.fix) {
    progress("Repairing");
    fixed = await repair(world, context, before, parts.source ?? {});
    before = await runtime(world);
  }
  const report = { ...(await examine(world, before, parts.runs, progress)), ...(fixed ? { fixed } : {}) };
  if (options.json) {
    const { version, build } = world;
    out(JSON.stringify({ version, build, node: process.version, home: home.root, ...report }));
  } else {
    out(show(report, home.root, styleFor(env, process.stdout.isTTY === true)));
  }
  return report.ok ? 0 : 1;
}

async function examine(
  world: DoctorWorld,
  found: Runtime,
  runs: number,
  progress: (step: string) => void,
): Promise<Report> {
  const client = clientOf(world.home, world.dist, [world.home.versions, world.places.store.versions]);
  const isDaemonUp = found.daemon.running;
  progress("Checking whether the client answers");
  const answers = clientAnswers({ command: client.command, env: world.env, isDaemonUp });
  const countRequests = async (): Promise<number> =>
    isDaemonUp ? ((await askDaemon(world.home, world.env, "status", world.dist)).events ?? 0) : 0;
  const cost =
    answers.ok && runs > 0
      ? await measureCost({ command: client.command, env: world.env, runs, isDaemonUp, progress }, countRequests)
      : undefined;
  progress("Checking the installation, the journal and the configuration");
  const findings = [
    await installed(world),
    ...goneProjects(world),
    killSwitch(world),
    answers,
    integrity(world),
    ...state(world),
    await configuration(world),
    ...(await projectFinding(world)),
    ...(await teams(world)),
    ...(await engineProgram(world)),
    ...found.findings,
    versions(world),
  ];
  const ok = findings.every((finding) => finding.ok);
  const { profiles } = (await configurationIn(world.home, world.cwd)).config;
  return { ok, client, daemon: found.daemon, cost: cost ?? null, profiles, findings };
}

function show({ client, daemon, cost, profiles, findings, fixed }: Report, home: string, style: Style): string {
  const marks = { ok: style.green("ok"), note: style.yellow("note"), problem: style.red("problem") };
  const rows = findings.map(({ level, name, detail }) => [marks[level], name, detail]);
  const info = (name: string, detail: string): string[] => [style.dim("info"), name, detail];
  const resident = daemon.running ? `running (process ${daemon.pid}, ${daemon.events} requests)` : "not running";
  const way = cost?.via === "daemon" ? "answered by the daemon" : "answered without the daemon";
  const lines = [
    table([
      ...rows,
      info("profiles", `${profiles.join(", ") || "none"}, by the configuration of this folder`),
      info("client", `${client.kind === "c" ? "compiled" : "Node"}: ${client.command.join(" ")}`),
      info("daemon", `${resident}; hooks start it when they need it`),
      info(
        "one event",
        cost === null
          ? "could not be measured"
          : `takes ${cost.medianMs} ms, ${way}; starting Node alone takes ${cost.nodeMs} ms (ratio ${cost.ratio}, median of ${cost.runs} runs)`,
      ),
      info("home", home),
    ]),
  ];
  if (fixed) {
    lines.push(`\n${style.bold("Repaired:")}${fixed.length === 0 ? " nothing, because nothing needed it" : ""}`);
    for (const what of fixed) lines.push(`  ${what}`);
  }
  for (const { level, name, fix } of findings) {
    if (fix) lines.push(`\n${style.bold(level === "problem" ? `To fix "${name}":` : `About "${name}":`)} ${fix}`);
  }
  return lines.join("\n");
}
