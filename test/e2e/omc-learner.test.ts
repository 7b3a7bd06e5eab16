/** Learned skills in the real client: told where they fit, called by their names, and suggested when something was found out. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientUnderTest, NO_PERMISSION_CHECKS, runClaude } from "./client.ts";
import { newProject, runWithModes } from "./mode-session.ts";
import { type ModelRequest, newText, wholeText } from "./model-requests.ts";
import { hookwright, noticesToThePerson } from "./product.ts";
import type { Scratch } from "./scratch.ts";
import { Terminal } from "./terminal.ts";

let scratch: Scratch;
beforeEach(async () => {
  scratch = await newProject();
  await hookwright(scratch, ["init", "--yes", "--scope", "user", "--profile", "safety,omc"]);
});
afterEach(() => scratch.dispose());

const inProject = (name: string): string => join(scratch.project, ".omc/skills", name);
const skill = (name: string, triggers: string, body: string): string =>
  `---\nname: ${name}\ntriggers: ${triggers}\n---\n${body}\n`;
const timesIn = (text: string, part: string): number => text.split(part).length - 1;
const last = (requests: readonly ModelRequest[]): ModelRequest => requests.at(-1) ?? expect.fail("no request");
const uses = async (): Promise<unknown> => {
  const { skills } = JSON.parse(await hookwright(scratch, ["skills", "--json"]));
  return Object.fromEntries(skills.map((one: { id: string; uses: number }) => [one.id, one.uses]));
};

const SOLVED =
  "The login failed because vite.config.ts proxied /api to the wrong port, which ended in ECONNREFUSED.\n\n" +
  `I fixed it by setting the port in vite.config.ts to 8080 and token=${"abcdef1234567890"} in the env.`;

describe("enhancement/learner", () => {
  it("tells the model the skills that fit a prompt, once in a session", async () => {
    scratch.write(inProject("login.md"), skill("Fix login", "[login]", "Set the domain of the session cookie."));
    scratch.write(inProject("same.md"), skill("Ours", "[zzz]\nid: shared", "Of the project."));
    const own = join(scratch.home, ".claude/local-skills");
    scratch.write(join(own, "cache.md"), skill("Clear cache", "[cache]", "Remove the folder .cache."));
    scratch.write(join(own, "same.md"), skill("Theirs", "[login]\nid: shared", "Of the person."));
    const { requests } = await runClaude(scratch, {
      prompt: "",
      messages: ["The login page fails.", "The login still fails, with the latest cache too."],
      script: { main: ["I see.", "Done."] },
      ...NO_PERMISSION_CHECKS,
    });
    expect(requests).toHaveLength(2);
    expect(newText(requests[0] ?? expect.fail("no request"))).toContain("Set the domain of the session cookie.");
    expect(newText(last(requests))).toContain("Remove the folder .cache.");
    expect(timesIn(wholeText(last(requests)), "Set the domain of the session cookie.")).toBe(1);
    expect(wholeText(last(requests))).not.toContain("Of the person.");
    expect(await uses()).toEqual({ "fix-login": 1, "clear-cache": 1, shared: 0 });
  });

  it("suggests a skill at the end of a turn; what it suggests is written, read again and told", async () => {
    const { requests, hookResponses, ...outcome } = await runClaude(scratch, {
      prompt: "Why does it fail?",
      script: { main: [SOLVED] },
      ...NO_PERMISSION_CHECKS,
    });
    const [notice = "", ...more] = noticesToThePerson({ ...outcome, requests, hookResponses }, "Stop");
    expect(more).toEqual([]);
    expect(requests).toHaveLength(1);
    const [, id = "", file = ""] =
      /`hookwright skills promote (\w+)` writes (\.omc\/skills\/[a-z-]+\.md)/.exec(notice) ?? expect.fail(notice);
    expect(existsSync(join(scratch.project, file))).toBe(false);
    await hookwright(scratch, ["skills", "promote", id]);
    const text = readFileSync(join(scratch.project, file), "utf8");
    expect(text).toContain("token=[masked]");
    expect(text).not.toContain("abcdef");
    const next = await runClaude(scratch, {
      prompt: "It is ECONNREFUSED again",
      script: { main: ["I know."] },
      ...NO_PERMISSION_CHECKS,
    });
    expect(newText(last(next.requests))).toContain("I fixed it by setting the port in vite.config.ts to 8080");
    expect((await scratch.run("git", ["status", "--porcelain"])).stdout).toBe("");
  });

  it("writes the skill by itself where the person wants that, and names the file", async () => {
    scratch.write(join(scratch.hookwrightHome, "config.yml"), "profiles: [safety, omc]\nlearner: { extract: auto }\n");
    const outcome = await runClaude(scratch, {
      prompt: "Why does it fail?",
      script: { main: [SOLVED] },
      ...NO_PERMISSION_CHECKS,
    });
    const [, file = ""] =
      /It is written to (\.omc\/skills\/[a-z-]+\.md)/.exec(noticesToThePerson(outcome, "Stop").join()) ??
      expect.fail("no notice");
    await expect.poll(() => existsSync(join(scratch.project, file)), { timeout: 20_000 }).toBe(true);
    expect(readFileSync(join(scratch.project, file), "utf8")).toMatch(
      /^---\nid: .*\n[\s\S]*source: extracted[\s\S]*# Solution/,
    );
    expect(readdirSync(join(scratch.project, ".omc/skills"))).toHaveLength(1);
    expect(Object.keys((await uses()) as object)).toHaveLength(1);
  });
});

describe("detection/auto-slash-command", () => {
  const BODY = "Look at $ARGUMENTS first.\n!touch was-run\nThen restart the server.";
  beforeEach(() => {
    scratch.write(inProject("login.md"), skill("Fix login", "[zzz]", BODY));
  });
  const ask = (prompt: string) => runClaude(scratch, { prompt, script: { main: ["Done."] }, ...NO_PERMISSION_CHECKS });

  it("gives the model the text of a skill that is called by its name, and runs none of its lines", async () => {
    const { requests } = await ask(" /fix-login the form of $(touch was-run)");
    const text = newText(last(requests));
    expect(text).toContain("Look at the form of $(touch was-run) first.");
    expect(text).toContain("!touch was-run");
    expect(text).toContain("none of them was run");
    expect(existsSync(join(scratch.project, "was-run"))).toBe(false);
    expect(await uses()).toEqual({ "fix-login": 1 });
  });

  it("names the nearest skill", async () => {
    const { requests } = await ask(" /fix-logn the form");
    expect(newText(last(requests))).toContain("No learned skill is called `fix-logn`. Did you mean `fix-login`?");
  });

  it("says nothing of a command that the client knows", async () => {
    scratch.write(join(scratch.project, ".claude/commands/fix-login.md"), "The project's own: $ARGUMENTS");
    const { requests } = await ask("/fix-login the form");
    expect(wholeText(last(requests))).toContain("The project's own: the form");
    expect(wholeText(last(requests))).not.toContain("Then restart the server.");
  });

  it("is reached without a blank where the client passes an unknown command on", async () => {
    const { requests, result } = await ask("/fix-login the form");
    // The older client answers by itself, and no hook hears of it.
    if (clientUnderTest().version === "2.1.197") expect(result.result).toBe("Unknown command: /fix-login");
    else expect(newText(last(requests))).toContain("Look at the form first.");
  });

  it("is called through the plugin's own skill in any client", async () => {
    const { requests } = await runWithModes(scratch, {
      prompt: "/omc:skill fix-login the form",
      script: { main: ["Done."] },
    });
    const text = wholeText(last(requests));
    expect(text).toContain("Look at the form first.");
    expect(timesIn(text, "Then restart the server.")).toBe(1);
  });

  it("works in a terminal behind a blank", async () => {
    const terminal = await Terminal.start(scratch, { script: { main: ["It is done."] } });
    try {
      await terminal.type(" /fix-login the form");
      await terminal.sees(/It is done\./);
      expect(newText(last(terminal.model.conversation()))).toContain("Look at the form first.");
    } finally {
      await terminal.stop();
    }
  });
});
