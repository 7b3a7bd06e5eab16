/** Each scenario with each agent's real client. `npm run conformance` installs the clients and starts this. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { Scratch } from "../e2e/scratch.ts";
import type { AgentDriver } from "./driver.ts";
import { runScenario } from "./run-scenario.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

interface Plan {
  /** By agent. */
  readonly clients: Readonly<Record<string, { readonly folder?: string; readonly missing?: string }>>;
  readonly scenarios: readonly string[];
  /** A file for one line of JSON about each scenario. */
  readonly results: string;
}

const planFile = process.env.HOOKWRIGHT_CONFORMANCE_PLAN;
if (planFile === undefined) throw new Error("Start these tests with `npm run conformance`, which installs the clients");
const isReachable = Object.values(networkInterfaces()).some((one) => one?.some((address) => !address.internal));
if (isReachable) throw new Error("Network interfaces other than loopback are up: use `npm run conformance`");
const plan = JSON.parse(readFileSync(planFile, "utf8")) as Plan;

const drivers = await Promise.all(
  readdirSync(join(import.meta.dirname, "agents")).map(async (file) => {
    const name = basename(file, ".ts");
    const loaded: { default: AgentDriver } = await import(`./agents/${name}.ts`);
    return loaded.default;
  }),
);

/** undeclared: the agent cannot do it, and its declaration says so. */
type State = "passed" | "failed" | "skipped" | "undeclared";

function record(driver: AgentDriver, { name }: Scenario, state: State, why = ""): void {
  const result = { agent: driver.declaration.id, scenario: name, state, ...(why === "" ? {} : { why }) };
  appendFileSync(plan.results, `${JSON.stringify(result)}\n`);
}

/** Why the client cannot be tried; undefined when it starts. */
async function problemOf(driver: AgentDriver): Promise<string | undefined> {
  const { folder, missing } = plan.clients[driver.declaration.id] ?? {};
  if (folder === undefined) return missing;
  const scratch = new Scratch();
  try {
    const [command, ...args] = driver.program(folder);
    const { exitCode, stderr } = await scratch.run(command, [...args, "--version"]);
    return exitCode === 0 ? undefined : `it does not start: ${stderr.trim().split("\n").at(-1)}`;
  } catch (error) {
    return `it does not start: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`;
  } finally {
    await scratch.dispose();
  }
}

function undeclared({ declaration }: AgentDriver, { needs }: Scenario): string | undefined {
  if (!needs) return undefined;
  const [name, verdict] = needs;
  const events = Object.values(declaration.events);
  if (events.some((one) => one.name === name && one.can.includes(verdict))) return undefined;
  return declaration.because[`${name} ${verdict}`] ?? "the agent has no such event, or takes no such answer there";
}

const chosen = drivers.filter(({ declaration }) => declaration.id in plan.clients);
const problems = new Map(await Promise.all(chosen.map(async (one) => [one, await problemOf(one)] as const)));

const trials = chosen.flatMap((driver) =>
  SCENARIOS.filter(({ only = driver.declaration.id }) => only === driver.declaration.id)
    .filter(({ name }) => plan.scenarios.includes(name))
    .map((scenario) => ({ driver, scenario })),
);
for (const { driver, scenario } of trials) {
  it(`${driver.declaration.title}, ${scenario.name}: ${scenario.shows}`, async ({ skip, task, onTestFinished }) => {
    const missing = undeclared(driver, scenario);
    const problem = problems.get(driver);
    if (missing !== undefined) record(driver, scenario, "undeclared", missing);
    else if (problem !== undefined) record(driver, scenario, "skipped", problem);
    if (missing !== undefined || problem !== undefined) skip(missing ?? problem);
    onTestFinished(() => {
      const state = task.result?.state === "pass" ? "passed" : "failed";
      record(driver, scenario, state);
    });
    const folder = plan.clients[driver.declaration.id]?.folder ?? "";
    expect((await runScenario(driver, folder, scenario)).join("\n")).toBe("");
  });
}
