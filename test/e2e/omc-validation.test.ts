/** The pack `validation` in the real client: each of its hooks by name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { bash, newProject, write } from "./mode-session.ts";
import { newText, toolResult } from "./model-requests.ts";
import { hookwright } from "./product.ts";
import type { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = await newProject();
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "safety,omc"]);
});
afterEach(() => scratch.dispose());

function configure(...lines: readonly string[]): void {
  scratch.write(join(scratch.hookwrightHome, "config.yml"), ["profiles: [safety, omc]", ...lines, ""].join("\n"));
}

it("comment-checker: names a new comment that says nothing, once, and neither an address nor an old comment", async () => {
  configure("policies:", "  validation/comment-checker: enforce");
  const file = join(scratch.project, "count.ts");
  scratch.write(file, "// the old total\nexport let total = 0;\n");
  const text = [
    "// the old total",
    "export let total = 0;",
    'export const PAGE = "http://example.org/page";',
    "// increment the total",
    "total++;",
    "",
  ].join("\n");
  const edit = { file_path: file, old_string: "total++;", new_string: "total += 1;" };
  const { requests } = await runClaude(scratch, {
    ...NO_PERMISSION_CHECKS,
    prompt: "go",
    script: {
      main: [
        { tool: "Read", id: "toolu_read", input: { file_path: file } },
        write(file, text, "toolu_write"),
        { tool: "Edit", id: "toolu_edit", input: edit },
        "Done.",
      ],
    },
  });
  expect(toolResult(requests, "toolu_edit").isError).toBe(false);
  const [, , written, edited] = requests;
  expect(newText(written ?? expect.fail("no request"))).toContain(
    "New in count.ts, one comment with neither a reason nor a condition nor a reference:\n- line 4 (line): increment the total\nRemove",
  );
  expect(newText(edited ?? expect.fail("no request"))).not.toContain("New in count.ts");
});

it("permission-handler: runs what the person listed without a question, and asks about everything else", {
  timeout: 180_000,
}, async () => {
  configure("permissions: { approve: [tests] }");
  // A project may not add to the list.
  scratch.write(join(scratch.project, "hookwright.yml"), "permissions: { approve: [tests, lint] }\n");
  const scripts = { test: "touch tested", lint: "touch linted", "test:all": "touch all" };
  scratch.write(join(scratch.project, "package.json"), JSON.stringify({ scripts }));
  const made = (name: string): boolean => existsSync(join(scratch.project, name));
  const client = await Terminal.start(scratch, {
    asks: true,
    script: {
      main: [
        bash("npm test", "toolu_test"),
        bash("npm run lint", "toolu_lint"),
        bash("npm test && touch both", "toolu_both"),
        bash("npm run test:all", "toolu_all"),
        "All of it is done.",
      ],
    },
  });
  try {
    await client.type("run the scripts");
    for (const [command, file] of [
      ["npm run lint", "linted"],
      ["npm test && touch both", "both"],
      ["npm run test:all", "all"],
    ] as const) {
      await client.until(async () => {
        const screen = await client.screen();
        return /Do you want to proceed/.test(screen) && screen.includes(command);
      }, `nobody was asked about ${command}`);
      expect(made("tested")).toBe(true);
      expect(made(file)).toBe(false);
      await client.tmux("send-keys", "-t", "=client:", "Enter");
      await client.until(() => made(file), `${command} never ran`);
    }
    await client.sees(/All of it is done/);
  } finally {
    await client.stop();
  }
});

interface Checked {
  readonly exitCode: number | null;
  readonly report: { readonly counts: Readonly<Record<string, number>>; readonly repairedLines: number };
}

async function checked(...args: string[]): Promise<Checked> {
  const { exitCode, stdout } = await scratch.hookwright(["transcript", "check", "--json", ...args]);
  return { exitCode, report: JSON.parse(stdout) };
}

it("thinking-block-validator and empty-message-sanitizer: find what a run's transcript lacks, and repair a copy of it", async () => {
  const { result, requests } = await runClaude(scratch, {
    ...NO_PERMISSION_CHECKS,
    prompt: "go",
    script: { main: [["First.", write(join(scratch.project, "a.ts"), "// the a\na();\n", "toolu_write")], "Done."] },
  });
  // Nobody has turned the comment checker on.
  expect(newText(requests[1] ?? expect.fail("no request"))).not.toContain("one comment with neither");
  const folder = join(scratch.home, ".claude/projects");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const name = names.find((one) => one.endsWith(`${result.session_id}.jsonl`));
  const transcript = join(folder, name ?? expect.fail("the client wrote no transcript"));
  const text = readFileSync(transcript, "utf8");

  const thinking = join(scratch.root, "with-thinking.jsonl");
  const { exitCode, report } = await checked(transcript, "--repair", thinking);
  expect(exitCode).toBe(1);
  expect(report.counts).toEqual({ "no-thinking": 2, "empty-message": 0, "blank-text": 0, unreadable: 0 });
  expect(report.repairedLines).toBe(2);
  expect(readFileSync(transcript, "utf8")).toBe(text);
  expect((await checked(thinking)).exitCode).toBe(0);

  // As after an interruption, when nothing of a text had arrived, and of a prompt that was blank.
  const broken = text.replace('"text":"First."', '"text":" "').replace(/"(text|content)":"go"/g, '"$1":""');
  const blank = scratch.write(join(scratch.root, "blank.jsonl"), broken);
  const sanitized = join(scratch.root, "sanitized.jsonl");
  expect((await checked(blank, "--repair", sanitized)).report.counts).toMatchObject({
    "no-thinking": 2,
    "empty-message": 1,
    "blank-text": 1,
  });
  expect(readFileSync(sanitized, "utf8").split("[user interrupted]")).toHaveLength(3);
  expect((await checked(sanitized)).exitCode).toBe(0);
});
