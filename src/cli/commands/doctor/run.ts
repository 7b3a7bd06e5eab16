import type { CommandContext } from "../../command.ts";
import { configIn } from "../../installation/config-in-folder.ts";
import { builtVersion, type ClientCommand, clientOf, homeOf } from "../../installation/current-build.ts";
import type { SystemPlaces } from "../../installation/system-folders.ts";
import { askDaemon } from "../../state/daemon-client.ts";
import type { Terminal } from "../../terminal/confirm.ts";
import { type Style, styleFor, table } from "../../terminal/style.ts";
import type { DoctorContext } from "./context.ts";
import { engineProgramFindings } from "./engine-program-check.ts";
import { clientAnswers, type EventCost, measureCost } from "./event-cost.ts";
import type { DoctorFinding } from "./finding.ts";
import { fleetFindings } from "./fleet-check.ts";
import {
  goneProjectsFindings,
  installedFinding,
  integrityFinding,
  killSwitchFinding,
  versions,
} from "./installation-checks.ts";
import { omcFindings } from "./omc-checks.ts";
import { projectPoliciesFindings } from "./project-policies-check.ts";
import { type FixSource, repair } from "./repair.ts";
import { type DaemonState, inspectRuntime, type Runtime } from "./runtime-checks.ts";
import { configurationFinding, stateFindings } from "./state-checks.ts";
import { teamFindings } from "./team-checks.ts";

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

interface DoctorReport {
  readonly ok: boolean;
  readonly client: ClientCommand;
  readonly daemon: DaemonState;
  readonly cost: EventCost | null;
  /** The profiles in use in this folder. */
  readonly profiles: readonly string[];
  readonly findings: readonly DoctorFinding[];
  readonly fixed?: readonly string[];
}

export async function runDoctor(context: CommandContext, parts: DoctorParts): Promise<number> {
  const { options, env, cwd, out } = context;
  const { dist, packageRoot, places, terminal } = parts;
  const home = homeOf(env);
  const doctor: DoctorContext = { home, env, cwd, dist, packageRoot, places, terminal, ...builtVersion(dist) };
  const progress = (step: string): void => context.progress?.(step);
  progress("Checking the daemon");
  let before = await inspectRuntime(doctor);
  let fixed: string[] | undefined;
  if (options.fix) {
    progress("Repairing");
    fixed = await repair(doctor, context, before, parts.source ?? {});
    before = await inspectRuntime(doctor);
  }
  const report = { ...(await examine(doctor, before, parts.runs, progress)), ...(fixed ? { fixed } : {}) };
  if (options.json) {
    const { version, build } = doctor;
    out(JSON.stringify({ version, build, node: process.version, home: home.root, ...report }));
  } else {
    out(show(report, home.root, styleFor(env, process.stdout.isTTY === true)));
  }
  return report.ok ? 0 : 1;
}

async function examine(
  doctor: DoctorContext,
  found: Runtime,
  runs: number,
  progress: (step: string) => void,
): Promise<DoctorReport> {
  const client = clientOf(doctor.home, doctor.dist, [doctor.home.versions, doctor.places.store.versions]);
  const isDaemonUp = found.daemon.running;
  progress("Checking whether the client answers");
  const answers = clientAnswers({ command: client.command, env: doctor.env, isDaemonUp });
  const countRequests = async (): Promise<number> =>
    isDaemonUp ? ((await askDaemon(doctor.home, doctor.env, "status", doctor.dist)).events ?? 0) : 0;
  const cost =
    answers.ok && runs > 0
      ? await measureCost({ command: client.command, env: doctor.env, runs, isDaemonUp, progress }, countRequests)
      : undefined;
  progress("Checking the installation, the journal and the configuration");
  const findings = [
    await installedFinding(doctor),
    ...goneProjectsFindings(doctor),
    killSwitchFinding(doctor),
    answers,
    integrityFinding(doctor),
    ...stateFindings(doctor),
    await configurationFinding(doctor),
    ...(await projectPoliciesFindings(doctor)),
    ...(await teamFindings(doctor)),
    ...(await omcFindings(doctor)),
    ...(await engineProgramFindings(doctor)),
    ...fleetFindings(doctor),
    ...found.findings,
    versions(doctor),
  ];
  const ok = findings.every((finding) => finding.ok);
  const { profiles } = (await configIn(doctor.home, doctor.cwd)).config;
  return { ok, client, daemon: found.daemon, cost: cost ?? null, profiles, findings };
}

function show({ client, daemon, cost, profiles, findings, fixed }: DoctorReport, home: string, style: Style): string {
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
