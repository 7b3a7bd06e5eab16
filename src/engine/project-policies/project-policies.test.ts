import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bad, DENIES, policyText, Scene, stageForEachTest } from "./project-policies.samples.ts";

const stage = stageForEachTest();

describe("a policy of a project", () => {
  test("denies what it is written to deny, and lets the rest pass", async () => {
    stage.scene.policies({ guard: DENIES });
    const denied = await stage.scene.look(bad);
    expect(denied.judgement?.ruling).toMatchObject({ outcome: "deny", policy: "local/guard" });
    expect(denied.judgement?.ruling.reason).toBe("No way. [local/guard]\nTrying the same call again will not help.");
    expect((await stage.scene.look()).judgement?.ruling.outcome).toBe("pass");
    expect((await stage.scene.decide(bad)).stdout).toContain("No way. [local/guard]");
  });

  test("sees the event and who caused it, frozen, and neither variables nor files", async () => {
    stage.scene.policies({
      looks: `(event, ctx) => ctx.note("no", { what: JSON.stringify([
        event.name, event.cwd, event.raw.tool_name, ctx.options, ctx.actor.project, ctx.places.home, typeof ctx.now(),
        ctx.env("HOME"), Object.isFrozen(event.raw.tool_input), Object.isFrozen(ctx.places), ctx.read, ctx.realPath,
        ctx.info, ctx.tmux, ctx.approve, Object.keys(process.env),
      ]) })`,
    });
    const { looks } = await stage.scene.results();
    const said = JSON.parse(looks?.verdicts[0]?.text.slice("No ".length, -1) ?? "");
    const nothing = [null, null, null, null, null];
    const { project, home } = stage.scene;
    expect(said).toEqual([
      "tool.before",
      project,
      "Bash",
      {},
      project,
      home,
      "number",
      null,
      true,
      true,
      ...nothing,
      [],
    ]);
  });

  test("has every verdict that its stage and the event allow", async () => {
    stage.scene.policies({
      all: '(e, ctx) => [ctx.note("fyi", {}, "notes.md"), ctx.notice("fyi"), ctx.rewrite("fyi", { command: "true" })]',
      asks: 'async (e, ctx) => ctx.ask("fyi")',
      wrong: '(e, ctx) => ctx.hold("fyi", {}, { exit: "x" })',
      short: '(e, ctx) => ctx.hold("fyi")',
    });
    const { all, asks, wrong, short } = await stage.scene.results();
    expect(all?.verdicts).toEqual([
      { kind: "note", message: "fyi", text: "For your information.", data: {}, pointer: "notes.md" },
      { kind: "notice", message: "fyi", text: "For your information.", data: {} },
      { kind: "rewrite", message: "fyi", text: "For your information.", data: {}, value: { command: "true" } },
    ]);
    expect(asks?.verdicts).toMatchObject([{ kind: "ask" }]);
    expect(wrong?.error).toBe("`hold` means nothing at tool.before");
    expect(short?.error).toContain('ctx.hold("fyi", data, { exit }) needs `exit`: how a person ends the hold');
  });

  test("is asked only about its events and kinds of tools", async () => {
    stage.scene.write(
      "policies/edits.js",
      policyText("edits", "() => []").replace("on:", 'filter: { kinds: ["edit"] }, on:'),
    );
    stage.scene.write("policies/stops.js", policyText("stops", "() => []").replace("tool.before", "turn.stop"));
    stage.scene.policies({ all: "() => []" });
    expect(Object.keys(await stage.scene.results())).toEqual(["all"]);
    expect(Object.keys(await stage.scene.results({ tool_name: "Write", tool_input: { file_path: "/x" } }))).toEqual([
      "all",
      "edits",
    ]);
    expect(Object.keys(await stage.scene.results({ hook_event_name: "Stop" }))).toEqual(["stops"]);
  });

  test("is observed or off when the configuration says so", async () => {
    stage.scene.dispose();
    stage.scene = new Scene(stage.worker, {
      policies: { "local/guard": { mode: "observe" }, "local/other": { mode: "off" } },
    });
    stage.scene.policies({ guard: DENIES, other: DENIES });
    const { judgement } = await stage.scene.look(bad);
    expect(judgement?.ruling.outcome).toBe("pass");
    expect(judgement?.ruling.fates).toMatchObject({ "local/guard": "observed" });
    expect(judgement?.ruling.fates).not.toHaveProperty("local/other");
  });

  test("works as the documentation shows it", async () => {
    const page = fs.readFileSync(path.resolve(import.meta.dirname, "../../../docs/outside-policies.md"), "utf8");
    const [, name, text] = /```js\n\/\/ \.hookwright\/(\S+)\n([\s\S]*?)```/.exec(page) ?? [];
    stage.scene.write(name ?? "", text ?? "");
    stage.scene.trust();
    const edit = (file: string) => ({ tool_name: "Write", tool_input: { file_path: file, content: "x" } });
    const { judgement } = await stage.scene.look(edit(`${stage.scene.project}/vendor/lib.js`));
    expect(judgement?.ruling).toMatchObject({ outcome: "deny", policy: "local/no-vendored-code" });
    expect((await stage.scene.look(edit(`${stage.scene.project}/src/lib.js`))).judgement?.ruling.outcome).toBe("pass");
  });

  test("imports files of its folder and `hookwright`, each policy its own copy", async () => {
    stage.scene.write("lib/count.js", "export let count = 0; export const up = () => ++count;");
    stage.scene.write(
      "lib/words.js",
      'export const { what } = await import("./what.js"); export { up } from "./count.js";',
    );
    stage.scene.write("lib/what.js", "export const what = import.meta.url;");
    const head = 'import { policy } from "hookwright"; import { up, what } from "../lib/words.js"; up();';
    for (const name of ["one", "two"]) {
      const text = policyText(name, '(e, ctx) => ctx.note("no", { what: what + up() })', { head });
      stage.scene.write(`policies/${name}.js`, text.replace("default {", "default policy({").replace(/\};$/, "});"));
    }
    stage.scene.trust();
    const { one, two } = await stage.scene.results();
    expect(one?.verdicts[0]?.text).toBe(`No file://${stage.scene.folder}/lib/what.js2.`);
    expect(two?.verdicts[0]?.text).toBe(one?.verdicts[0]?.text);
  });

  test.runIf(process.features.typescript)("may be written in TypeScript where Node reads that by itself", async () => {
    stage.scene.write("lib/what.ts", "export const what: string = 'way';");
    const head = "import { what } from '../lib/what.ts'; type Any = { note(a: string, b: object): unknown };";
    stage.scene.write(
      "policies/typed.ts",
      policyText("typed", '(e: unknown, ctx: Any) => ctx.note("no", { what })', { head }),
    );
    stage.scene.trust();
    expect((await stage.scene.results()).typed?.verdicts[0]?.text).toBe("No way.");
  });

  test.skipIf(process.features.typescript)("says when Node cannot read TypeScript", async () => {
    stage.scene.write("policies/typed.ts", policyText("typed", "() => []"));
    stage.scene.trust();
    expect(await stage.scene.told()).toMatchObject([expect.stringContaining("cannot run TypeScript by itself")]);
  });
});

describe("a policy that fails", () => {
  test.each([
    ["throws", '() => { throw new Error("boom"); }', "boom"],
    ["rejects", 'async () => { throw new Error("boom"); }', "boom"],
    ["throws what has no text", "() => { throw Object.create(null); }", "it threw something that has no text"],
    ["uses what is not offered", '(e, ctx) => ctx.realPath("/x")', "ctx.realPath is not a function"],
    ["changes the event", '(e) => { e.tool.name = "x"; }', "Cannot assign to read only property 'name'"],
    ["answers a number", "() => 7", "answered something that is not a verdict"],
    ["answers a list with nonsense", '(e, ctx) => [ctx.note("fyi"), { kind: "x" }]', "not a verdict"],
    ["answers a function", "() => () => 1", "answered something that cannot be sent"],
    ["says yes for the person", '() => ({ kind: "approve", message: "m", text: "t" })', "`approve` is not offered"],
    ["says too much", '(e, ctx) => ctx.deny("no", { what: "x".repeat(20_000) })', "said too much"],
    ["rewrites to nothing", '(e, ctx) => ctx.rewrite("fyi", undefined)', "rewrote the event to nothing"],
    ["rewrites to no JSON", '(e, ctx) => ctx.rewrite("fyi", { a: 1n })', "is not JSON"],
    ["answers a flood", '(e, ctx) => Array(60).fill(ctx.note("fyi"))', "answered 60 verdicts at once"],
  ])("%s: a question at a guarded event, in its own name and nobody else's", async (_name, handler, error) => {
    stage.scene.policies({ fails: handler, fine: DENIES });
    const results = await stage.scene.results(bad);
    expect(results.fails).toMatchObject({ verdicts: [], error: expect.stringContaining(error) });
    expect(results.fine?.verdicts).toMatchObject([{ kind: "deny" }]);
    const { judgement } = await stage.scene.look();
    expect(judgement?.ruling).toMatchObject({ outcome: "ask", policy: "local/fails" });
    expect(judgement?.ruling.reason).toContain("This call could not be checked by local/fails: ");
  });

  test("means nothing in a stage that only advises", async () => {
    stage.scene.policies({ fails: '() => { throw new Error("boom"); }' }, "advice");
    expect((await stage.scene.look()).judgement?.ruling.outcome).toBe("pass");
  });

  test("a verdict with strange fields is taken for what it says and no more", async () => {
    stage.scene.policies({
      odd: '() => ({ kind: "deny", message: "m", text: "No.", retry: { toString: 1 }, data: { a: {}, b: 1 }, x: 1 })',
    });
    const { odd } = await stage.scene.results();
    expect(odd?.verdicts).toEqual([{ kind: "deny", message: "m", text: "No.", retry: "never", data: { b: 1 } }]);
  });

  test("is not asked about an event that is too large for a worker", async () => {
    stage.scene.policies({ fine: DENIES });
    const { fine } = await stage.scene.results({ tool_input: { command: "x".repeat(5_000_000) } });
    expect(fine?.error).toMatch(/^is not asked about events of 5\d+ bytes$/);
  });
});

describe("an event that cannot be copied", () => {
  test("costs an answer, and not the process", async () => {
    stage.scene.policies({ fine: DENIES });
    const frame = stage.scene.frame();
    const text = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const body = Buffer.from(frame.body.toString().replace('"ls"', `"bad","deep":${text}`));
    const { judgement } = await stage.scene.engine.examine({ ...frame, body });
    const fine = judgement?.results.find(({ id }) => id === "local/fine");
    expect(fine?.error ?? fine?.verdicts[0]?.kind).toMatch(/^(could not be asked \(|deny$)/);
    expect((await stage.scene.results(bad)).fine?.verdicts).toHaveLength(1);
  });
});

describe("a file that is no policy", () => {
  test.each<[string, string, string]>([
    ["a built-in module", 'import fs from "node:fs";', "imports `node:fs`, and a project's policies may only import"],
    ["a built-in module by its old name", 'import fs from "fs";', "imports `fs`"],
    ["a package", 'import "zod";', "imports `zod`"],
    ["a place outside the folder", 'import "../../secret.js";', "which lies outside the folder"],
    ["an absolute path", 'import "/etc/passwd";', "imports `/etc/passwd`"],
    ["an address", 'import "data:text/javascript,1";', "imports `data:"],
    ["what is not there", 'import "./none.js";', "./none.js is not in the folder"],
    ["a built-in module later", 'await import("node:fs");', "imports `node:fs`"],
    ["what throws", 'throw new Error("not today");', "not today"],
    ["what is no JavaScript", "let a = ;", "Unexpected token"],
    [
      "a name that is not exported",
      'import { stores } from "hookwright";',
      "does not provide an export named 'stores'",
    ],
  ])("because it imports or is %s: said once, and the others run", async (_name, head, why) => {
    stage.scene.write("policies/broken.js", policyText("broken", "() => []", { head }));
    stage.scene.policies({ fine: DENIES });
    const first = await stage.scene.decide();
    expect(first.stdout).toContain("local/broken (");
    expect(JSON.parse(first.stdout).systemMessage).toContain(why);
    expect((await stage.scene.decide()).stdout).toBe("");
    expect(Object.keys(await stage.scene.results())).toEqual(["fine"]);
    expect((await stage.scene.look(bad)).judgement?.ruling.outcome).toBe("deny");
  });

  const whole = (change: (text: string) => string): string => change(policyText("odd", "() => []"));
  test.each<[string, string, string]>([
    ["no default export", "export const x = 1;", "it has no default export"],
    ["a function", "export default () => 1;", "its default export is no policy"],
    ["another id", whole((text) => text.replace("local/odd", "safety/odd")), "its `id` should be `local/odd`"],
    ["the security stage", whole((text) => text.replace("scope", "security")), "should be one of destructive, scope"],
    ["`settled`", whole((text) => text.replace("on:", "settled: {}, on:")), "`settled` is not offered"],
    ["`options`", whole((text) => text.replace("on:", "options: () => 1, on:")), "`options` is not offered"],
    ["`uses`", whole((text) => text.replace("on:", "uses: {}, on:")), "`uses` is not offered"],
    ["no events", whole((text) => text.replace(/ {2}on:.*/, "")), "`on` should hold the events"],
    [
      "an unknown event",
      whole((text) => text.replace("tool.before", "tool.befor")),
      "`tool.befor` under `on` is no event",
    ],
    ["no function", whole((text) => text.replace("() => []", "7")), "`tool.before` under `on` should be a function"],
    ["an unknown kind", whole((text) => text.replace("on:", 'filter: { kinds: ["x"] }, on:')), "with kinds from"],
    ["no texts", whole((text) => text.replace(/messages:.*/, "messages: { a: 1 },")), "`messages` should hold"],
    ["no summary", whole((text) => text.replace("A test.", "")), "`summary` should be a text"],
  ])("because it has %s", async (_name, text, why) => {
    stage.scene.write("policies/odd.js", text);
    stage.scene.policies({ fine: DENIES });
    expect(await stage.scene.told()).toEqual([expect.stringContaining(why)]);
    expect(Object.keys(await stage.scene.results())).toEqual(["fine"]);
  });

  test("or whose name cannot be one, or is taken", async () => {
    stage.scene.write("policies/Bad Name.js", "");
    stage.scene.write("policies/fine.ts", "");
    stage.scene.write("policies/notes.md", "");
    stage.scene.policies({ fine: DENIES });
    expect(await stage.scene.told()).toEqual([
      expect.stringContaining("Bad Name.js does not run: such a file is named with small letters"),
      expect.stringContaining("fine.ts does not run: another file is local/fine already"),
    ]);
    expect(Object.keys(await stage.scene.results())).toEqual(["fine"]);
  });
});
