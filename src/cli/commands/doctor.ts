import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { ConfigSource } from "../../config/compile.ts";
import { describe } from "../../core/errors.ts";
import { PROJECT_CONFIG } from "../../engine/config-cache.ts";
import { Database } from "../../state/database.ts";
import type { Command } from "../command.ts";
import { askDaemon } from "../daemon-client.ts";
import { builtVersion, clientOf, homeOf } from "../installation.ts";
import { readInstalls } from "../installs.ts";
import { styleFor, table } from "../style.ts";

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

const BUSY_MS = 2_000;

export const doctor: Command = {
  name: "doctor",
  summary: "Checks that hooks are installed, reached and recorded, and says how to mend what is not.",
  usage: "doctor [--json]",
  options: { json: { type: "boolean", description: "Print everything as one JSON object." } },
  async run({ options, env, cwd, out }) {
    const home = homeOf(env);
    const client = clientOf(home);
    const daemon = await askDaemon(home, env, "status");
    const findings: Finding[] = [
      installation(home, env),
      clientAnswers(client.command, env),
      database(home),
      await configuration(home.config, path.join(cwd, PROJECT_CONFIG)),
    ];
    const ok = findings.every((finding) => finding.ok);
    if (options.json) {
      out(JSON.stringify({ ok, ...builtVersion(), node: process.version, home: home.root, client, daemon, findings }));
      return ok ? 0 : 1;
    }
    const style = styleFor(env, process.stdout.isTTY === true);
    const mark = (finding: Finding): string => (finding.ok ? style.green("ok") : style.red("problem"));
    const rows = findings.map((finding) => [mark(finding), finding.name, finding.detail]);
    const resident = daemon.running ? `running (pid ${daemon.pid}, ${daemon.events} requests)` : "not running";
    out(
      table([
        ...rows,
        [style.dim("info"), "client", `${client.kind === "c" ? "compiled" : "Node"}: ${client.command.join(" ")}`],
        [style.dim("info"), "daemon", `${resident}; hooks start it when they need it`],
        [style.dim("info"), "home", home.root],
      ]),
    );
    for (const { fix } of findings) if (fix) out(`\n${style.bold("To mend it:")} ${fix}`);
    return ok ? 0 : 1;
  },
};

function installation(home: ReturnType<typeof homeOf>, env: NodeJS.ProcessEnv): Finding {
  const name = "installed";
  const { records, damaged } = readInstalls(home);
  if (damaged) {
    return { name, ok: false, detail: `${home.installs} cannot be read`, fix: "Run `hookwright init` again." };
  }
  if (records.length === 0) {
    return { name, ok: false, detail: "in no agent's settings", fix: "Run `hookwright init`." };
  }
  const lost = records.filter((record) => {
    const text = fs.existsSync(record.file) ? fs.readFileSync(record.file, "utf8") : "";
    const needle =
      record.scope === "project" ? '"--via"' : JSON.stringify(path.join(home.versions, record.version)).slice(1, -1);
    return !text.includes(needle);
  });
  if (lost.length > 0) {
    const files = lost.map((record) => record.file).join(", ");
    return { name, ok: false, detail: `the hooks are gone from ${files}`, fix: "Run `hookwright init` again." };
  }
  const disabled = env.HOOKWRIGHT_DISABLE === "1" ? " (switched off by HOOKWRIGHT_DISABLE)" : "";
  return { name, ok: true, detail: records.map((record) => `${record.scope}: ${record.file}`).join(", ") + disabled };
}

/** Sends a harmless event of a session of its own through the very client that agents call. */
function clientAnswers(command: readonly string[], env: NodeJS.ProcessEnv): Finding {
  const name = "client answers";
  const [program = "", ...args] = command;
  const input = JSON.stringify({ hook_event_name: "CwdChanged", session_id: "hookwright-doctor", cwd: "/" });
  const result = spawnSync(program, args, { input, env, encoding: "utf8", timeout: 10_000 });
  const ok = result.status === 0 && result.stderr === "";
  const detail = ok ? "yes" : (result.error?.message ?? result.stderr.trim()) || `it ended with ${result.status}`;
  return { name, ok, detail, ...(ok ? {} : { fix: "Run `hookwright init` again, or `npm run build` in a checkout." }) };
}

function database(home: ReturnType<typeof homeOf>): Finding {
  const name = "recording";
  try {
    const db = new Database(home.database, BUSY_MS);
    const events = Number(db.get("SELECT COUNT(*) AS n FROM journal")?.n);
    const journalled = db.transaction(() => undefined) !== undefined;
    db.close();
    const aside = fs.readdirSync(home.root).filter((file) => file.includes(".corrupt-"));
    const note = aside.length > 0 ? `; set aside as damaged: ${aside.join(", ")}` : "";
    return { name, ok: journalled, detail: `${events} events in ${home.database}${note}` };
  } catch (error) {
    return { name, ok: false, detail: describe(error), fix: `Make ${home.root} a writable directory with free space.` };
  }
}

async function configuration(person: string, project: string): Promise<Finding> {
  const name = "configuration";
  const sources: ConfigSource[] = [];
  for (const [file, owner] of [
    [person, "person"],
    [project, "project"],
  ] as const) {
    if (fs.existsSync(file)) sources.push({ file, owner, text: fs.readFileSync(file, "utf8") });
  }
  if (sources.length === 0) return { name, ok: true, detail: "none: the defaults are in force" };
  const { compileConfig } = await import("../../config/compile.ts");
  const { problems, profiles } = await compileConfig(sources);
  if (problems.length === 0) return { name, ok: true, detail: `profiles: ${profiles.join(", ")}` };
  return { name, ok: false, detail: problems.join(" "), fix: "Correct the lines named above." };
}
