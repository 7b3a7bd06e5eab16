import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { homeAt } from "../../system/home.ts";
import { trustFileAt } from "../config/trust.ts";
import { prepare } from "../receive/receive.ts";
import { PolicyHost } from "./host.ts";
import { openFolders } from "./policy-folder.ts";
import { bad, DENIES, policyText, Scene, stageForEachTest } from "./project-policies.samples.ts";

const stage = stageForEachTest();
const worst = { tool_input: { command: "worst" } };
/** Misbehaves only when told to. */
const onWorst = (what: string): string => `(event) => { if (event.tool.input.command === "worst") { ${what} } }`;
/** Before the time is up a slow machine may not even have given it so much. */
const TOO_MUCH = /^(took too much memory|gave no answer within \d+ ms)$/;
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

describe("a policy that does not come back", () => {
  test.each([
    ["loops for ever", onWorst("for (;;);"), /^gave no answer within \d+ ms$/],
    ["never settles", `async ${onWorst("await new Promise(() => {});")}`, /^gave no answer within \d+ ms$/],
    ["starves the others", `async ${onWorst("for (;;) await null;")}`, /^gave no answer within \d+ ms$/],
    ["ends its process", onWorst("process.exit(0);"), /^ended its worker$/],
    ["ends it later", `async ${onWorst("await null; process.exit(1);")}`, /^ended its worker$/],
    ["eats all memory", onWorst("const a = []; for (;;) a.push(a.length);"), TOO_MUCH],
    ["eats it in pieces", onWorst("const a = new Map(); for (;;) a.set({}, Array(1000).fill(1));"), TOO_MUCH],
  ])("%s: it fails alone, in time, and the next event finds a fresh worker", async (_name, handler, error) => {
    stage.scene.policies({ amiss: handler, early: DENIES });
    // Loaded before, so that only the deadline for answers counts.
    expect((await stage.scene.look()).judgement?.ruling.outcome).toBe("pass");
    const { amiss, early } = await stage.scene.results(worst);
    expect(amiss?.error).toMatch(error);
    // What it was given is well below what the caller waits for.
    expect(Number(/\d+(?= ms$)/.exec(amiss?.error ?? "0 ms")?.[0] ?? 0)).toBeLessThan(2_500);
    // Either it had answered before, or it says through whom it could not.
    if (early?.error !== undefined) expect(early.error).toMatch(/^was not asked, because local\/amiss /);
    const after = await stage.scene.results(bad);
    expect(after).toMatchObject({ amiss: { verdicts: [] }, early: { verdicts: [{ kind: "deny" }] } });
    expect(after.amiss?.error).toBeUndefined();
  });

  test("changes nothing of what built-in policies and those before it say", async () => {
    stage.scene.policies({ first: '(e, ctx) => ctx.note("fyi")', loops: "() => { for (;;); }" }, "advice");
    const { judgement } = await stage.scene.look({
      tool_name: "Write",
      tool_input: { file_path: `${stage.scene.project}/.git/config`, content: "x" },
    });
    expect(judgement?.ruling).toMatchObject({ outcome: "deny", policy: "safety/protected-paths" });
    expect(judgement?.results.find(({ id }) => id === "local/first")?.verdicts).toHaveLength(1);
  });

  test("comes last the next time, and is left out after three times, which is said once", async () => {
    stage.scene.policies({ a: "() => { for (;;); }", b: DENIES });
    expect((await stage.scene.look(bad)).judgement?.ruling.outcome).toBe("ask");
    for (let again = 0; again < 2; again++) {
      const { a, b } = await stage.scene.results(bad);
      expect(a?.error).toMatch(/^gave no answer/);
      expect(b?.verdicts).toHaveLength(1);
    }
    expect(Object.keys(await stage.scene.results(bad))).toEqual(["b"]);
    const said = (await stage.scene.decide()).stdout;
    expect(said).toMatch(/local\/a .* does not run until the folder changes: 3 times within ten minutes it gave no/);
    expect((await stage.scene.decide()).stdout).toBe("");
    stage.scene.policies({ a: "() => []" });
    expect(Object.keys(await stage.scene.results())).toEqual(["a", "b"]);
  });

  test("while it is loaded is left out, and the others are asked", async () => {
    stage.scene.write("policies/loops.js", policyText("loops", "() => []", { head: "for (;;);" }));
    stage.scene.write("policies/waits.js", policyText("waits", "() => []", { head: "await new Promise(() => {});" }));
    stage.scene.policies({ fine: DENIES });
    const frame = stage.scene.frame(bad, 20_000);
    const { judgement } = await stage.scene.engine.examine(frame);
    expect(judgement?.results.filter(({ id }) => id.startsWith("local/")).map(({ id }) => id)).toEqual(["local/fine"]);
    expect(judgement?.ruling.outcome).toBe("deny");
    const text = judgement?.ruling.notices.map((notice) => notice.text).join("\n");
    expect(text).toContain("local/loops");
    expect(text).toContain("local/waits");
    expect(text).toContain("could not be loaded in time");
  });

  test("does not lose the answers of other sessions for longer than its own", async () => {
    stage.scene.policies({ loops: onWorst("for (;;);"), fine: DENIES });
    await stage.scene.look();
    const [first, second] = await Promise.all([
      stage.scene.results(worst),
      stage.scene.results({ ...bad, session_id: "s2" }),
    ]);
    expect(first.loops?.error).toMatch(/^gave no answer/);
    expect(second.fine?.error ?? "answered").toMatch(/^(answered|was not asked, because local\/loops )/);
    expect((await stage.scene.results(bad)).fine?.verdicts).toHaveLength(1);
  });
});

const LIMITS = { loadMs: 10_000, runMs: 15_000 };

/** The project's worker without an engine around it, and a question for one policy. */
function hostOf(of: Scene, id: string, idleMs?: number) {
  const standing = openFolders(homeAt(of.home, of.root))(of.project);
  const prepared = prepare(of.frame());
  if (standing.kind !== "trusted" || prepared.kind !== "event") throw new Error("nothing to ask");
  const host = new PolicyHost(stage.worker, standing.trusted, idleMs);
  const question = {
    ids: [id],
    event: prepared.event,
    actor: { session: "", thread: "main", project: "", pane: "", pid: 0 },
    places: {
      home: "",
      personConfig: "",
      runtimeDir: "",
      userHome: "",
      agentSettings: [],
      tempDir: "",
      uid: 0,
      engine: "",
    },
    now: 0,
  } as const;
  const ask = async (): Promise<unknown> => {
    const answer = await host.ask(question, LIMITS)(id);
    return "said" in answer ? (answer.said as { text: string }).text : answer.error;
  };
  return { host, ask };
}

describe("a worker", () => {
  test.each([
    ["an array", "const a = []; for (;;) a.push(a.length);"],
    ["a map", "const a = new Map(); for (;;) a.set({}, {});"],
    [
      "a text",
      'let s = "x"; for (;;) { s += s; JSON.parse(JSON.stringify(s.slice(1))); if (s.length > 1e8) s = "x"; }',
    ],
  ])("that takes ever more memory, for %s, is ended before that ends the process", async (_name, what) => {
    stage.scene.policies({ eats: `() => { ${what} }` });
    const { host, ask } = hostOf(stage.scene, "local/eats");
    expect(await ask()).toBe("took too much memory");
    host.close();
  });

  test("that keeps more and more is replaced between events", async () => {
    stage.scene.policies({
      counts: `((kept) => (e, ctx) => {
        kept.push(Array(1e6).fill(kept.length + 0.5));
        return ctx.note("no", { what: kept.length });
      })([])`,
    });
    const said: (string | undefined)[] = [];
    for (let i = 0; i < 20; i++) said.push((await stage.scene.results()).counts?.verdicts[0]?.text);
    expect(said.slice(0, 2)).toEqual(["No 1.", "No 2."]);
    expect(said.slice(2)).toContain("No 1.");
  });

  test("that cannot be started is a problem that is said, and guards ask", async () => {
    stage.scene.dispose();
    stage.scene = new Scene(path.join(path.dirname(stage.worker), "none.cjs"));
    stage.scene.policies({ fine: DENIES });
    expect(await stage.scene.told()).toEqual([
      expect.stringMatching(/local\/fine .* was not asked: its worker did not start/),
    ]);
  });

  test("ends when nobody asks for a while, and comes back", async () => {
    stage.scene.policies({ counts: "((n) => (e, ctx) => ctx.note('no', { what: ++n }))(0)" });
    const { host, ask } = hostOf(stage.scene, "local/counts", 200);
    expect((await host.known(LIMITS)).policies).toHaveLength(1);
    expect([await ask(), await ask()]).toEqual(["No 1.", "No 2."]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await ask()).toBe("No 1.");
    host.close();
  });
});

describe("trust", () => {
  const NOT_TRUSTED = /do not run: you have not trusted them\. Look at them, then run `hookwright trust`/;
  const CHANGED = /do not run: something in the folder has changed since you trusted it/;
  const ran = async (): Promise<boolean> => "guard" in (await stage.scene.results());

  test("is needed first; without it nothing runs, and the person hears of it once per session", async () => {
    const proof = path.join(stage.scene.root, "proof");
    const head = `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(proof)}, "");`;
    stage.scene.write("policies/guard.js", policyText("guard", DENIES, { head }));
    const first = await stage.scene.decide(bad);
    expect(JSON.parse(first.stdout)).toEqual({ systemMessage: expect.stringMatching(NOT_TRUSTED) });
    expect((await stage.scene.decide(bad)).stdout).toBe("");
    expect((await stage.scene.decide({ session_id: "s2" })).stdout).toMatch(NOT_TRUSTED);
    expect(fs.existsSync(proof)).toBe(false);
    stage.scene.trust();
    expect((await stage.scene.decide(bad)).stdout).toContain("No way.");
    expect(fs.existsSync(proof)).toBe(true);
  });

  test.each<[string, () => void]>([
    ["a byte of a policy", () => fs.appendFileSync(path.join(stage.scene.folder, "policies/guard.js"), " ")],
    ["a byte of what it imports", () => stage.scene.write("lib/a.js", "export const a = 2;")],
    ["a new file", () => stage.scene.write("lib/b.js", "")],
    ["a file that is gone", () => fs.rmSync(path.join(stage.scene.folder, "lib/a.js"))],
    [
      "a new name",
      () => fs.renameSync(path.join(stage.scene.folder, "lib/a.js"), path.join(stage.scene.folder, "lib/c.js")),
    ],
    ["the list of trusted folders", () => fs.writeFileSync(trustFileAt(stage.scene.home), "[]")],
  ])("ends with %s, and has to be given anew", async (name, change) => {
    stage.scene.write("lib/a.js", "export const a = 1;");
    stage.scene.policies({ guard: DENIES });
    await settled();
    expect(await ran()).toBe(true);
    expect(await stage.scene.told()).toEqual([]);
    change();
    expect(await ran()).toBe(false);
    const isForgotten = name.startsWith("the list");
    expect(await stage.scene.told()).toEqual([expect.stringMatching(isForgotten ? NOT_TRUSTED : CHANGED)]);
    await settled();
    expect(await ran()).toBe(false);
    stage.scene.trust();
    expect(await ran()).toBe(true);
  });

  test("is for the bytes, whatever the times of the file say", async () => {
    stage.scene.policies({ guard: DENIES });
    await settled();
    expect(await ran()).toBe(true);
    const file = path.join(stage.scene.folder, "policies/guard.js");
    const { atime, mtime } = fs.statSync(file);
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("way", "wax"));
    fs.utimesSync(file, atime, mtime);
    expect(await ran()).toBe(false);
  });

  test.each<[string, () => void, string]>([
    ["a link to a file", () => fs.symlinkSync("/etc/hosts", path.join(stage.scene.folder, "x")), "x is a link"],
    ["a link to a folder", () => fs.symlinkSync("..", path.join(stage.scene.folder, "lib")), "lib is a link"],
    ["too many files", () => manyFiles(), "more than 200 files and folders"],
    ["too large files", () => stage.scene.write("x", "x".repeat(2 * 1024 * 1024 + 1)), "more than 2 MB"],
    [
      "a list of trusted folders that is damaged",
      () => fs.writeFileSync(trustFileAt(stage.scene.home), "{"),
      "cannot be used",
    ],
  ])("is not enough with %s in it", async (_name, change, why) => {
    stage.scene.policies({ guard: DENIES });
    change();
    expect(await stage.scene.told()).toEqual([expect.stringContaining(why)]);
    expect(await ran()).toBe(false);
  });

  test("is not enough for a folder that is a link", async () => {
    stage.scene.policies({ guard: DENIES });
    const elsewhere = path.join(stage.scene.root, "elsewhere");
    fs.renameSync(stage.scene.folder, elsewhere);
    fs.symlinkSync(elsewhere, stage.scene.folder);
    expect(await stage.scene.told()).toEqual([
      expect.stringContaining("it is not a folder, and links are not followed"),
    ]);
  });

  test("is not asked for where there is no policy", async () => {
    stage.scene.write("README.md", "Policies will come.");
    fs.mkdirSync(path.join(stage.scene.folder, "policies"));
    expect(await stage.scene.told()).toEqual([]);
  });

  function manyFiles(): void {
    for (let i = 0; i < 200; i++) stage.scene.write(`many/${i}`, "");
  }
});
