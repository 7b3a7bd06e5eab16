import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CLIENT_VERSIONS, goldenVersionFiles, readGolden } from "../../test/support/golden.ts";
import { outcomes, RecordedWorld } from "./replay.samples.ts";

const EVERY_PROFILE = "profiles: [safety, ntm, plan, session, teams, omc]\n";

let world: RecordedWorld | undefined;
afterEach(() => {
  world?.close();
  world = undefined;
});
const recorded = (config?: string): RecordedWorld => {
  world = new RecordedWorld(config);
  return world;
};

/** A morning's work: what is denied, asked about and let pass by `safety`. */
async function work(here: RecordedWorld): Promise<void> {
  await here.send({ hook_event_name: "SessionStart", source: "startup" });
  await here.send({ hook_event_name: "UserPromptSubmit", prompt: "Clean up, please." });
  for (const line of ["ls -la src", "npm test", "rm -rf ~", "rm -rf src", "git push --force origin main"]) {
    await here.shell(line);
  }
  await here.send({ hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "Done." });
}

function changes(all: Awaited<ReturnType<RecordedWorld["replay"]>>): string[] {
  return all.flatMap(({ recorded: { body }, change, afterwards }) => {
    const line = (JSON.parse(body) as { tool_input?: { command?: string } }).tool_input?.command ?? "";
    return change ? [`${change.kind} ${change.policy}: ${line} (${change.was.ruling}, ${afterwards})`] : [];
  });
}

function sessionFile(here: RecordedWorld, ...lines: object[]): void {
  fs.writeFileSync(path.join(here.root, "s1.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

describe("under the same configuration", () => {
  it("every answer is the same", async () => {
    const here = recorded();
    await work(here);
    const all = await here.replay();
    expect(all.length).toBeGreaterThan(10);
    expect(outcomes(all).filter((line) => !line.endsWith(": same"))).toEqual([]);
  });

  it.each(["profiles: [safety]\n", EVERY_PROFILE])(
    "no event of the real client gets another answer: %s",
    async (config) => {
      const here = recorded(config);
      await work(here);
      const [version] = CLIENT_VERSIONS;
      for (const event of goldenVersionFiles(version)) {
        for (const { payload } of Object.values(readGolden(version, event).payloads)) {
          const text = JSON.stringify(payload).replaceAll("/home/dev/app", here.project);
          await here.send(JSON.parse(text.replaceAll("/home/dev", here.userHome)));
        }
      }
      const all = await here.replay();
      expect(changes(all)).toEqual([]);
      expect(all.filter(({ again }) => again.kind === "decided").length).toBeGreaterThan(all.length / 3);
    },
  );
});

describe("under another configuration exactly this is different:", () => {
  it("a guard that is switched off", async () => {
    const here = recorded();
    await work(here);
    expect(changes(await here.replay({ modes: { "safety/destructive-command": "off" } }))).toEqual([
      // Another guard denies it all the same, in fewer words.
      "context safety/destructive-command: rm -rf ~ (deny, stopped)",
      "allowed safety/destructive-command: rm -rf src (ask, kept)",
      "allowed safety/destructive-command: git push --force origin main (deny, stopped)",
    ]);
  });

  it("a rule that denies", async () => {
    const here = recorded();
    await work(here);
    const file = path.join(here.root, "stricter.yml");
    const rule = '{ id: no-tests, program: npm, do: deny, text: "Tests run at night." }';
    fs.writeFileSync(file, `profiles: [safety]\nrules: [${rule}]\n`);
    expect(changes(await here.replay({ configFile: file }))).toEqual(["denied rules/no-tests: npm test (pass, kept)"]);
  });

  it("a profile without guards", async () => {
    const here = recorded();
    await work(here);
    const allowed = changes(await here.replay({ profiles: ["ntm"] }));
    expect(allowed.map((line) => line.split(" ")[0])).toEqual(allowed.map(() => "allowed"));
    expect(allowed.length).toBeGreaterThan(1);
  });
});

describe("what was not recorded makes an event undecidable:", () => {
  it("a fact", async () => {
    const here = recorded();
    await here.shell("rm -rf src");
    here.state((db) =>
      db.run("UPDATE journal SET facts = '{}', grounds = json_remove(grounds, '$.absent', '$.usual')"),
    );
    expect(outcomes(await here.replay())[0]).toMatch(/^PreToolUse Bash: undecidable: \w+:/);
  });

  it("that a file was not there, which is a fact as well", async () => {
    const here = recorded();
    await here.shell("rm -rf src");
    expect(outcomes(await here.replay())[0]).toBe("PreToolUse Bash: same");
    fs.mkdirSync(path.join(here.project, "src"));
    expect(outcomes(await here.replay())[0]).toBe("PreToolUse Bash: same");
    here.state((db) => db.run("UPDATE journal SET grounds = json_remove(grounds, '$.absent')"));
    expect(outcomes(await here.replay())[0]).toMatch(/undecidable/);
  });

  it("state of a session that something else has changed", async () => {
    const here = recorded();
    await here.send({ hook_event_name: "SessionStart", source: "startup" });
    await here.shell("ls");
    here.state((db) =>
      db.run(
        "INSERT INTO revisions VALUES ('session:claude-code:s1', 1) ON CONFLICT DO UPDATE SET revision = revision + 1",
      ),
    );
    await here.shell("ls");
    const [start, first, , second] = outcomes(await here.replay());
    expect([start, first]).toEqual(["SessionStart : same", "PreToolUse Bash: same"]);
    expect(second).toBe("PreToolUse Bash: undecidable: state:session:claude-code:s1");
  });

  it("the beginning of a session", async () => {
    const here = recorded();
    await here.shell("ls");
    await here.shell("ls");
    here.state((db) => db.run("DELETE FROM journal WHERE id = 1"));
    expect(outcomes(await here.replay())[0]).toContain("undecidable: state:session");
  });

  it("what a policy that failed would have said", async () => {
    const here = recorded();
    await here.shell("ls");
    const failure =
      '[{"policy":"safety/secret-leak","fate":"silent","error":"gave no answer within 5 ms","verdicts":[]}]';
    here.state((db) => db.run("UPDATE journal SET verdicts = ? WHERE id = 1", failure));
    expect(outcomes(await here.replay())[0]).toBe("PreToolUse Bash: undecidable: failure of safety/secret-leak");
  });
});

describe("not replayable are", () => {
  const content = "export const x = 1;\n";
  it("edits, unless the transcript still has their text", async () => {
    const here = recorded();
    const input = { file_path: path.join(here.project, "a.ts"), content };
    await here.call("Write", input);
    expect(outcomes(await here.replay())[0]).toBe("PreToolUse Write: not-replayable: content");
    const part = { type: "tool_use", id: "t1", name: "Write", input: { ...input, content: "another text" } };
    sessionFile(here, { type: "assistant", message: { role: "assistant", content: [part] } });
    expect(outcomes(await here.replay())[0]).toBe("PreToolUse Write: not-replayable: content");
    sessionFile(here, {}, { type: "assistant", message: { role: "assistant", content: [{ ...part, input }] } });
    expect(outcomes(await here.replay())[0]).toBe("PreToolUse Write: same");
  });

  it("commands with a masked secret", async () => {
    const here = recorded();
    await here.shell("curl -u me:hunter22 https://example.org");
    expect(outcomes(await here.replay())[0]).toBe("PreToolUse Bash: not-replayable: secret");
  });

  it("entries of older builds", async () => {
    const here = recorded();
    await here.shell("ls");
    here.state((db) => db.run("UPDATE journal SET origin = NULL, grounds = ''"));
    expect(outcomes(await here.replay())[0]).toBe("PreToolUse Bash: not-replayable: origin");
  });
});

describe("nothing outside is touched:", () => {
  it("the journal and the files stay as they were", async () => {
    const here = recorded(EVERY_PROFILE);
    await work(here);
    const listed = (): string[] =>
      fs
        .readdirSync(here.root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith("state.db"))
        .map((entry) => path.join(entry.parentPath, entry.name))
        .map((file) => `${file} ${fs.statSync(file).mtimeMs}`);
    const rows = (): unknown =>
      here.state((db) =>
        ["journal", "entries", "outbox", "jobs", "mirrors"].map((name) => db.all(`SELECT * FROM ${name}`)),
      );
    const [files, before] = [listed(), rows()];
    await here.replay({ modes: { "safety/destructive-command": "off" } });
    expect(listed()).toEqual(files);
    expect(rows()).toEqual(before);
  });

  it("the scratch database is removed", async () => {
    const here = recorded();
    await work(here);
    const left = (): string[] =>
      fs.readdirSync(path.dirname(here.root)).filter((name) => name.startsWith("hookwright-replay-"));
    const before = left();
    await here.replay();
    expect(left()).toEqual(before);
  });
});

describe("a selection", () => {
  it("of the time replays what came before for its state alone", async () => {
    const here = recorded();
    await work(here);
    const { at } = here.state((db) => db.get("SELECT at FROM journal ORDER BY id DESC LIMIT 1")) ?? {};
    const later = await here.replay({}, { since: Number(at) });
    expect(later.at(-1)?.recorded.agentEvent).toBe("Stop");
    expect(outcomes(later).filter((line) => !line.endsWith(": same"))).toEqual([]);
  });

  it("of a session leaves out the others", async () => {
    const here = recorded();
    await work(here);
    await here.shell("rm -rf ~", { session_id: "s2" });
    const all = await here.replay({}, { session: "s2" });
    expect(all.map(({ recorded: { session } }) => session)).toEqual(["s2"]);
  });
});
