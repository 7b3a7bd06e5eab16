/**
 * Turning a profile on, by anybody, only adds denials and questions: over recorded events, labelled command lines and the
 * examples of every policy, the answer with more profiles is never weaker. `npm test` takes pairs of profiles and a sample
 * of the calls; `npm run check:long` takes every subset and every call.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCorpus } from "../../../test/corpus/safety/lines.mjs";
import { readGolden } from "../../../test/support/golden.ts";
import { IS_LONG, sampled, sized } from "../../../test/support/long.ts";
import { compileConfig, readYaml } from "../../config/compile.ts";
import * as patterns from "../../config/patterns.ts";
import { readToml } from "../../config/toml.ts";
import type { Frame } from "../../core/frame.ts";
import { PROFILES, type ProfileName, packsOf } from "../../core/settings/profiles.ts";
import { registry } from "../../policies/index.gen.ts";
import { system } from "../../system/system.ts";
import { PROJECT, USER_HOME } from "../../testing/events.ts";
import { eventOfExample } from "../../testing/examples.ts";
import { createEngine } from "../engine.ts";

/** One call of so many is taken into the short form; prime, so that no family is left out by its length. */
const SAMPLED = sized(601, 1);
const STRENGTH = ["pass", "ask", "deny"];

interface Call {
  readonly tool_name: string;
  readonly tool_input: object;
}

const withPolicies = PROFILES.filter((name) => registry.some(({ pack }) => packsOf([name], true).has(pack)));

function subsetsOf(names: readonly ProfileName[], most: number): ProfileName[][] {
  const all: ProfileName[][] = [[]];
  for (const name of names) all.push(...all.map((set) => [...set, name]));
  return all.filter((set) => set.length <= most || set.length === names.length);
}

const examples = registry.map(async (entry) => {
  const { hit, pass } = (await entry.load()).default.examples;
  return [...hit, ...pass].flatMap((example) => {
    const event = eventOfExample(example);
    const tool = event?.tool;
    return tool ? [{ tool_name: tool.name, tool_input: tool.input }] : [];
  });
});

async function everyCall(): Promise<Call[]> {
  const lines = readCorpus().map(({ command }): Call => ({ tool_name: "Bash", tool_input: { command } }));
  const golden = Object.values(readGolden("2.1.325", "PreToolUse").payloads).map(({ payload }) => payload as Call);
  const some = lines.filter((_, at) => at % SAMPLED === 0);
  return [...golden, ...sampled((await Promise.all(examples)).flat(), 5), ...some];
}

/** In a folder for temporary files nothing counts as lost, so the world is in the home folder. */
let room: string;
beforeAll(() => {
  room = fs.realpathSync(fs.mkdtempSync(path.join(os.homedir(), "hookwright-profiles-")));
  const project = path.join(room, "project");
  fs.mkdirSync(path.join(project, "src"), { recursive: true });
  fs.writeFileSync(path.join(project, "src/kept.ts"), "kept\n");
  const git = (...args: string[]) => execFileSync("git", ["-C", project, ...args], { stdio: "ignore" });
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "--quiet", "--message=start");
  fs.writeFileSync(path.join(project, "src/kept.ts"), "changed\n");
  fs.writeFileSync(path.join(project, "notes.txt"), "untracked\n");
});
afterAll(() => fs.rmSync(room, { recursive: true, force: true }));

interface TurnedOn {
  readonly person: readonly ProfileName[];
  /** By a `hookwright.yml` that nobody trusted. */
  readonly project: readonly ProfileName[];
}

/** What each call is answered as the first of a fresh session, and when it is made once more. */
async function answersWith({ person, project }: TurnedOn, calls: readonly Call[]): Promise<string[]> {
  const home = path.join(room, "home");
  const cwd = path.join(room, "project");
  fs.mkdirSync(home, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, "config.yml"), JSON.stringify({ profiles: person }));
  fs.writeFileSync(path.join(cwd, "hookwright.yml"), JSON.stringify({ profiles: project }));
  const engine = createEngine({
    home,
    build: "test",
    ports: system,
    busyMs: () => 1_000,
    onJobs: () => undefined,
    databaseFile: ":memory:",
    readOnly: true,
    policyWorker: "/nowhere",
    compileConfig,
    readYaml,
    loadPatterns: () => patterns,
    readToml,
  });
  const outcomes: string[] = [];
  for (const [at, { tool_name, tool_input }] of calls.entries()) {
    const frameOf = (time: number): Frame => {
      const about = { hook_event_name: "PreToolUse", session_id: `s${at}`, tool_use_id: `t${at}-${time}`, cwd };
      const text = JSON.stringify({ ...about, tool_name, tool_input });
      return {
        nonce: `n${at}-${time}`,
        build: "test",
        home,
        deadline: Date.now() + 30_000,
        cwd,
        ppid: 1,
        cut: "",
        args: [],
        env: { HOME: room, PATH: process.env.PATH ?? "", SESSION_REQUIRED: at % 2 === 0 ? "1" : "0" },
        body: Buffer.from(text.replaceAll(PROJECT, cwd).replaceAll(USER_HOME, room)),
      };
    };
    const examined = async (time: number): Promise<string> =>
      (await engine.examine(frameOf(time))).judgement?.ruling.outcome ?? "not judged";
    const first = await examined(1);
    await engine.decide(frameOf(1));
    outcomes.push(first, await examined(2));
  }
  engine.close();
  return outcomes;
}

const shown = (call: Call | undefined): string => JSON.stringify(call?.tool_input).slice(0, 200);

it("the answer with more profiles is never weaker", { timeout: 3_600_000 }, async () => {
  const calls = await everyCall();
  const subsets = subsetsOf(withPolicies, IS_LONG ? withPolicies.length : 2);
  const keyOf = (set: readonly ProfileName[]): string => [...set].sort().join("+");
  const byPerson = new Map<string, string[]>();
  for (const set of subsets) byPerson.set(keyOf(set), await answersWith({ person: set, project: [] }, calls));
  const weaker: string[] = [];
  const compare = (before: readonly string[], after: readonly string[], how: string): void => {
    for (const [at, outcome] of after.entries()) {
      const was = before[at] ?? "pass";
      if (STRENGTH.indexOf(outcome) >= STRENGTH.indexOf(was)) continue;
      weaker.push(`${how}: ${was} becomes ${outcome}${at % 2 === 0 ? "" : " on retry"}: ${shown(calls[at >> 1])}`);
    }
  };
  for (const large of subsets) {
    for (const small of subsets) {
      if (small.length >= large.length || !small.every((name) => large.includes(name))) continue;
      const after = byPerson.get(keyOf(large)) ?? [];
      compare(byPerson.get(keyOf(small)) ?? [], after, `[${small}] and then [${large}]`);
    }
    // A repository that turns everything else on gets the same answers as the person who does.
    const [mine] = large;
    if (mine === undefined || large.length < 2) continue;
    const theirs = await answersWith({ person: [mine], project: large.slice(1) }, calls);
    compare(byPerson.get(keyOf(large)) ?? [], theirs, `[${large}] by the person, or but [${mine}] by the project`);
  }
  expect(weaker).toEqual([]);
  const strongest = byPerson.get(keyOf(withPolicies)) ?? [];
  for (const outcome of STRENGTH) expect(strongest).toContain(outcome);
});
