/** Carries out one scenario with the real client of one agent, and says in a sentence what went otherwise than expected. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { folderHash } from "../../src/cli/commands/trust/policy-folder.ts";
import { addTrust } from "../../src/cli/commands/trust/trust-records.ts";
import type { ProgramOutcome } from "../e2e/processes.ts";
import { hookwright } from "../e2e/product.ts";
import { Scratch } from "../e2e/scratch.ts";
import type { AgentDriver, HookFault, World } from "./driver.ts";
import { FakeModel } from "./fake-model/server.ts";
import type { Calls, Expected, Scenario } from "./scenarios.ts";

const CLIENT_TIMEOUT_MS = 90_000;
/** Long enough for every hook of a run to be waited for. */
const HANGING_MS = 45_000;
const PROMPT = "Do the work.";

/** The sentences about what went wrong; none when all went as expected. */
export async function runScenario(driver: AgentDriver, clientFolder: string, scenario: Scenario): Promise<string[]> {
  const scratch = new Scratch();
  const file = (name: string): string => join(scratch.project, name);
  const calls: Calls = { shell: driver.shell, write: driver.write, file };
  const model = await FakeModel.start(scenario.turns(calls));
  try {
    const world: World = { scratch, clientFolder, modelUrl: model.url };
    const expected = scenario.expected(driver.declaration);
    await scratch.run("git", ["init", "--quiet"]);
    for (const [name, text] of Object.entries(scenario.files ?? {})) scratch.write(file(name), text);
    driver.prepare(world);
    const before = contentsOf(driver.installed(world));
    if (scenario.isTrusted) trustPolicies(scratch);
    await install(driver, world, scenario);
    if (!scenario.install && contentsOf(driver.installed(world)) === before)
      return ["init changed none of the files that it is said to"];
    for (const command of scenario.commands ?? []) await hookwright(scratch, command);
    if (scenario.fault) breakHook(driver, world, scenario.fault);
    if (scenario.isUninstalled) {
      await startClient(driver, world, { prompt: PROMPT, mayHang: false });
      if (existsSync(file("trace.txt"))) return ["the guard did not work before it was uninstalled"];
      await hookwright(scratch, ["uninstall", "--yes", "--agent", driver.declaration.id], withClient(world));
      const after = contentsOf(driver.installed(world));
      if (after !== before) return [`uninstall did not restore the files: ${after} instead of ${before}`];
      model.rewind();
    }
    const outcome = await startClient(driver, world, {
      prompt: scenario.prompt ?? PROMPT,
      mayHang: expected.mayHang === true,
    });
    if (model.failures.length > 0) throw new AggregateError(model.failures, "The scripted model failed");
    const wrong = [...wrongRequests(model.requests, expected), ...wrongFiles(scratch.project, expected)];
    return wrong.length === 0 ? [] : [...wrong, outcomeText(outcome)];
  } finally {
    await model.stop();
    await scratch.dispose();
  }
}

async function install({ declaration }: AgentDriver, world: World, scenario: Scenario): Promise<void> {
  const { scratch } = world;
  const profiles = ["safety", ...(scenario.profiles?.split(",") ?? [])].join(",");
  const config = `profiles: [${profiles}]\n${scenario.config ?? ""}`;
  scratch.write(join(scratch.hookwrightHome, "config.yml"), config);
  const { install: args = ["--agent", declaration.id] } = scenario;
  await hookwright(scratch, ["init", "--yes", ...args], withClient(world));
}

/** As `hookwright trust` records it, for which a person has to type a word into a terminal. */
function trustPolicies({ project, hookwrightHome }: Scratch): void {
  const file = realpathSync(join(project, ".hookwright"));
  addTrust(hookwrightHome, { file, sha256: folderHash(file) ?? "", at: new Date().toISOString() });
}

/** Commands of ours may have to start the client, which people have on their PATH. */
function withClient({ scratch, clientFolder }: World): { readonly env: Readonly<Record<string, string>> } {
  return { env: { PATH: [join(clientFolder, "node_modules/.bin"), scratch.environment.PATH].join(delimiter) } };
}

/** Undefined when it had to be ended, which only `mayHang` allows. */
async function startClient(
  driver: AgentDriver,
  world: World,
  { prompt, mayHang }: { readonly prompt: string; readonly mayHang: boolean },
): Promise<ProgramOutcome | undefined> {
  const [command, ...args] = driver.program(world.clientFolder);
  const run = driver.run(world, prompt);
  const options = { env: run.env ?? {}, timeoutMs: mayHang ? HANGING_MS : CLIENT_TIMEOUT_MS };
  try {
    return await world.scratch.run(command, [...args, ...run.args], options);
  } catch (error) {
    const isHanging = error instanceof Error && /within \d+ ms/.test(error.message);
    if (mayHang && isHanging) return undefined;
    throw error;
  }
}

function breakHook(driver: AgentDriver, world: World, fault: HookFault): void {
  const versions = join(world.scratch.hookwrightHome, "versions");
  if (fault === "undecided") {
    for (const version of readdirSync(versions))
      for (const bundle of ["engine.cjs", "daemon.cjs"]) rmSync(join(versions, version, bundle));
    return;
  }
  if (driver.breakHook) {
    driver.breakHook(world, fault);
    return;
  }
  const clients = readdirSync(versions).map((version) => join(versions, version, "hook"));
  const events = Object.entries(driver.declaration.events);
  const before = events.find(([, { name }]) => name === "tool.before")?.[0] ?? "";
  const slow = `#!/bin/sh\ncase "$*" in *"--event ${before} "*) exec sleep 60 ;; esac\n`;
  for (const client of clients) {
    if (!existsSync(client)) throw new Error(`${client} is missing: a C compiler is needed to break the hook`);
    renameSync(client, `${client}.whole`);
    if (fault === "missing") continue;
    writeFileSync(client, fault === "slow" ? slow : "#!/bin/sh\nkill -9 $$\n");
    chmodSync(client, 0o755);
  }
}

function wrongRequests(requests: readonly string[], { requests: count, carried = [] }: Expected): string[] {
  const wrong: string[] = [];
  if (count && (requests.length < count.from || requests.length > count.to)) {
    wrong.push(`the model got ${requests.length} requests instead of ${count.from} to ${count.to}`);
  }
  for (const { request, text } of carried) {
    const first = requests.findIndex((body) => body.includes(text));
    if (first === request) continue;
    const where = first < 0 ? "no request" : `request ${first}`;
    wrong.push(`"${text}" was to reach the model with request ${request}, and ${where} has it`);
  }
  return wrong;
}

function wrongFiles(project: string, { files = {} }: Expected): string[] {
  return Object.entries(files).flatMap(([name, text]) => {
    const found = textOf(join(project, name));
    return found === text ? [] : [`${name} is ${shown(found)} instead of ${shown(text)}`];
  });
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function shown(text: string | undefined): string {
  return text === undefined ? "missing" : JSON.stringify(text);
}

/** Everything below these paths, as one text that can be compared. */
function contentsOf(paths: readonly string[]): string {
  const contents = paths.flatMap((path): [string, string | undefined][] => {
    if (!existsSync(path) || !lstatSync(path).isDirectory()) return [[path, textOf(path)]];
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map((entry) => join(entry.parentPath, entry.name)).sort();
    return [[path, "folder"], ...names.map((name): [string, string | undefined] => [name, textOf(name)])];
  });
  return JSON.stringify(contents);
}

function outcomeText(outcome: ProgramOutcome | undefined): string {
  if (outcome === undefined) return "the client had to be ended";
  const end = (text: string): string => text.trim().slice(-1_500);
  return `the client ended with ${outcome.exitCode}\nstdout: ${end(outcome.stdout)}\nstderr: ${end(outcome.stderr)}`;
}
