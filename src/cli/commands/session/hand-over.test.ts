import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSession } from "./command.ts";

const DIR = "sessions/2026_01_02_LOGIN";
const HANDOVER = { summary: "Half is done.", lastAction: "", nextSteps: ["test it"], handoverInstructions: "" };

let folder: string;
let project: string;
beforeEach(async () => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-hand-over-")));
  project = path.join(folder, "app");
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  await run(["activate", DIR, "implement"]);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

async function run(args: string[], input = "", session = "agent-1", options: Record<string, string> = {}) {
  const lines: string[] = [];
  const out = (text: string) => lines.push(text);
  const env = { HOME: folder, HOOKWRIGHT_HOME: path.join(folder, "hw"), CLAUDE_CODE_SESSION_ID: session };
  const context = { args, options, cwd: project, env, out, err: out };
  const code = await (async () => runSession(context, Readable.from([Buffer.from(input)])))();
  return { code, out: lines.join("\n") };
}

const at = (name: string): string => path.join(project, DIR, name);
const state = (): Record<string, unknown> => JSON.parse(fs.readFileSync(at(".state.json"), "utf8"));
const hand = (more: object = {}) => run(["dehydrate"], JSON.stringify({ ...HANDOVER, requiredFiles: [], ...more }));

describe("dehydrate", () => {
  it("keeps the hand-over in the state and in a document", async () => {
    expect((await hand()).code).toBe(0);
    expect(state().dehydratedContext).toEqual({ ...HANDOVER, requiredFiles: [] });
    expect(fs.readFileSync(at("DEHYDRATED_CONTEXT.md"), "utf8")).toBe(
      "# Hand-over\n\n## Summary\n\nHalf is done.\n\n## Next steps\n\n- test it\n",
    );
  });

  it("keeps eight required files and says which it left out", async () => {
    const { out } = await hand({ requiredFiles: Array.from({ length: 10 }, (_, i) => `f${i}.md`) });
    expect(out).toContain("Left out: f8.md, f9.md");
    expect((state().dehydratedContext as { requiredFiles: string[] }).requiredFiles).toHaveLength(8);
  });

  it.each([
    ["", "it is empty"],
    ["{", "JSON"],
    ["[]", "not a JSON object"],
    ["{}", "summary is missing"],
    ['{"summary": 1}', "summary is not a text"],
    ['{"summary": "x", "nextSteps": "y"}', "nextSteps is not a list of texts"],
    ['{"summary": "x", "requiredFiles": [1]}', "requiredFiles is not a list of texts"],
    [JSON.stringify({ summary: "x".repeat(20_001) }), "longer than 20000"],
  ])("refuses %j and keeps what was there", async (input, problem) => {
    await hand();
    await expect(run(["dehydrate"], input)).rejects.toThrow(problem);
    expect(state().dehydratedContext).toMatchObject({ summary: "Half is done." });
  });
});

describe("continue", () => {
  it("prints what waits, once, and leaves the document behind, marked", async () => {
    await hand();
    const first = await run(["continue"], "", "agent-2", { session: DIR });
    expect(first.out).toContain("Half is done.");
    expect(first.out).toContain("- test it");
    expect(state()).toMatchObject({ lifecycle: "active", sessionId: "agent-2" });
    expect(state()).not.toHaveProperty("dehydratedContext");
    expect(fs.readFileSync(at("DEHYDRATED_CONTEXT.md"), "utf8")).toContain("**Delivered**");
    expect((await run(["continue", DIR], "", "agent-2")).out).not.toContain("Half is done.");
  });

  it("prints what a person wrote into the document since", async () => {
    await hand();
    fs.writeFileSync(at("DEHYDRATED_CONTEXT.md"), "# Hand-over\n\nAsk Ann first.\n");
    expect((await run(["continue", DIR], "", "agent-2")).out).toContain("Ask Ann first.");
  });
});
