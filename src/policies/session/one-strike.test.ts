import { describe, expect, it } from "vitest";
import type { AnyEvent } from "../../core/event.ts";
import { claudeEvent, powershell, shell, toolBefore } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import guard from "../safety/destructive-command.ts";
import policy from "./one-strike.ts";

const once = { says: "deny", message: "warning" } as const;
const first = (command: string) => ({ event: shell(command), ...once });
const again = (before: string, command = before) => ({ after: [shell(before)], event: shell(command) });

testPolicy(policy, {
  hit: [
    // Each class, the first time.
    { name: "rm -rf", ...first("rm -rf old"), text: "`rm` deletes without asking" },
    { name: "rm -r", ...first("rm -r old") },
    { name: "rm -f", ...first("rm -f notes.txt") },
    { name: "rm -R", ...first("rm -R old") },
    { name: "rm -fr", ...first("rm -fr old") },
    { name: "rm -r -f", ...first("rm -r -f old") },
    { name: "rm --recursive", ...first("rm --recursive old") },
    { name: "rm --force", ...first("rm --force notes.txt") },
    { name: "rm with the flag behind", ...first("rm old -rf") },
    { name: "a folder for temporary files is no exception", ...first("rm -rf /tmp/foo") },
    { name: "a folder that a build makes is no exception", ...first("rm -rf node_modules") },
    { name: "git push --force", ...first("git push --force"), text: "replaces commits on the remote" },
    ...["Remove-Item old -Recurse -Force", "Get-Date; git reset --hard"].map((text) => ({
      ...first(text),
      name: `PowerShell: ${text}`,
      event: powershell(text),
    })),
    { name: "git push -f", ...first("git push -f origin main") },
    { name: "git push with flags together", ...first("git push -fu origin main") },
    { name: "git push with a plus", ...first("git push origin +main") },
    { name: "git push --mirror", ...first("git push --mirror backup") },
    { name: "git reset --hard", ...first("git reset --hard"), text: "discards uncommitted changes" },
    { name: "git reset --hard to a commit", ...first("git reset --hard HEAD~3") },
    { name: "git reset with the flag behind", ...first("git reset HEAD~1 --hard") },
    { name: "git reset --merge", ...first("git reset --merge") },
    { name: "git reset --keep", ...first("git reset --keep HEAD~1") },
    { name: "git clean -f", ...first("git clean -f"), text: "files that git does not track" },
    { name: "git clean -fd", ...first("git clean -fd") },
    { name: "git clean -fdx", ...first("git clean -fdx") },
    { name: "git clean with the flag apart", ...first("git clean -d -f") },
    { name: "git clean --force", ...first("git clean --force") },
    { name: "git checkout .", ...first("git checkout ."), text: "overwrites uncommitted changes" },
    { name: "git checkout -- .", ...first("git checkout -- .") },
    { name: "git checkout HEAD -- .", ...first("git checkout HEAD -- .") },
    { name: "git checkout -f", ...first("git checkout -f main") },
    { name: "git restore .", ...first("git restore .") },
    { name: "git restore of everything from a commit", ...first("git restore --source=HEAD~1 .") },
    { name: "git restore of both", ...first("git restore --staged --worktree .") },
    { name: "git stash", ...first("git stash"), text: "into or out of the stash" },
    { name: "git stash push", ...first("git stash push -m x") },
    { name: "git stash pop", ...first("git stash pop") },
    { name: "git stash drop", ...first("git stash drop") },
    { name: "git stash clear", ...first("git stash clear") },
    { name: "git switch --discard-changes", ...first("git switch --discard-changes main") },
    { name: "git branch -D", ...first("git branch -D old") },
    // The position of the command on the line.
    { name: "behind &&", ...first("make && rm -rf old") },
    { name: "behind ;", ...first("cd x; git reset --hard") },
    { name: "behind ||", ...first("make || git stash") },
    { name: "behind a pipe", ...first("find . -name x | xargs rm -rf") },
    { name: "in a subshell", ...first("(rm -rf x)") },
    { name: "in a substitution", ...first("echo $(git reset --hard)") },
    { name: "in a loop", ...first("for d in a b; do rm -rf $d; done") },
    { name: "by its path", ...first("/bin/rm -rf x") },
    { name: "through sudo", ...first("sudo rm -rf x") },
    { name: "through bash -c", ...first("bash -c 'rm -rf x'") },
    { name: "by find itself", ...first("find . -name '*.orig' -delete") },
    { name: "by find with -exec", ...first("find . -name x -exec rm -rf {} +") },
    { name: "in another folder", ...first("git -C dir reset --hard") },
    { name: "with settings before it", ...first("git -c a.b=c push --force") },
    { name: "behind a here-document", ...first("cat > a <<'E'\nx\nE\nrm -rf old") },
    { name: "behind a here-string", ...first("cat <<< x; git stash") },
    { name: "as a script in a here-document", ...first("bash <<'E'\nrm -rf old\nE") },
    { name: "outside of a project", event: toolBefore("Bash", { command: "rm -rf x" }, { cwd: "/" }), ...once },
    // The commands that one warning covers.
    { name: "another class is another warning", after: [shell("rm -rf a")], ...first("git reset --hard") },
    {
      name: "a class that is new on a line with one that is not",
      after: [shell("rm -rf a")],
      ...first("rm -rf a; git stash"),
    },
    {
      name: "another target, if so configured",
      after: [shell("rm -rf a")],
      ...first("rm -rf b"),
      options: { scope: "target" },
    },
    {
      name: "the home folder, every time",
      after: [shell("rm -rf a")],
      event: shell("rm -rf ~"),
      says: "deny",
      message: "root",
    },
    { name: "a root that was denied is no warning", after: [shell("rm -rf ~")], ...first("rm -rf a") },
    { name: "a system folder", event: shell("rm -rf /"), says: "deny", message: "root", text: "a system folder" },
    {
      name: "the work itself",
      after: [shell("rm -rf a")],
      event: shell("rm -rf ../app"),
      says: "deny",
      message: "root",
    },
    { name: "a line nobody can read", event: shell("rm -rf 'x"), says: "ask", message: "unreadable" },
  ],
  pass: [
    // The retry.
    { name: "rm again", ...again("rm -rf old") },
    { name: "the same class on something else", ...again("rm -rf old", "rm -r other") },
    { name: "git push --force again", ...again("git push --force") },
    { name: "git reset --hard again", ...again("git reset --hard", "git reset --hard HEAD~1") },
    { name: "git clean again", ...again("git clean -fd", "git clean -f") },
    { name: "git checkout . again", ...again("git checkout .") },
    { name: "git restore . again", ...again("git restore .") },
    { name: "git stash again", ...again("git stash", "git stash pop") },
    { name: "the same target, if so configured", ...again("rm -rf a"), options: { scope: "target" } },
    // Commands that only look similar.
    { name: "a branch with -f in its name", event: shell("git push origin my-feature") },
    { name: "a file with -f in its name", event: shell("rm my-file.txt") },
    { name: "rm of one file", event: shell("rm notes.txt") },
    { name: "a file that begins with a dot", event: shell("git checkout .gitignore") },
    { name: "one file to restore", event: shell("git restore ./a") },
    { name: "taking everything from the index", event: shell("git restore --staged .") },
    { name: "git stash list", event: shell("git stash list") },
    { name: "git stash show", event: shell("git stash show -p") },
    { name: "a push that looks first", event: shell("git push --force-with-lease") },
    { name: "a push that only pretends", event: shell("git push --force --dry-run") },
    { name: "PowerShell: one file", event: powershell("Remove-Item notes.txt") },
    { name: "PowerShell: git reset", event: powershell("Get-Date; git reset") },
    { name: "git reset", event: shell("git reset") },
    { name: "git reset --soft", event: shell("git reset --soft HEAD~1") },
    { name: "git clean that only lists", event: shell("git clean -n") },
    { name: "git clean that only lists, forced", event: shell("git clean -nfd") },
    { name: "git checkout of a branch", event: shell("git checkout main") },
    { name: "git branch -d", event: shell("git branch -d old") },
    { name: "git status", event: shell("git status && git diff") },
    { name: "a word in a here-document", event: shell("engine log f <<'E'\nrm -rf x; git reset --hard\nE") },
    { name: "a word in quotes", event: shell("echo 'rm -rf x'") },
    { name: "a word in a message", event: shell("git commit -m 'git push --force'") },
    { name: "a word that is searched for", event: shell("grep -rf patterns.txt 'git stash' .") },
    { name: "a program that only ends alike", event: shell("./confirm -rf x") },
    { name: "how it is called", event: shell("git reset --hard --help; rm --help -rf") },
    { name: "a comment", event: shell("ls # rm -rf x") },
    { name: "a function that nothing calls", event: shell("f() { rm -rf x; }; ls") },
    { name: "a line nobody can read about something else", event: shell("echo 'x") },
    { name: "another tool", event: toolBefore("Write", { file_path: "/a", content: "rm -rf x" }) },
    { name: "an empty line", event: shell("") },
  ],
});

async function outcomes(policies: Parameters<typeof createSandbox>[0], events: readonly AnyEvent[], options = {}) {
  const sandbox = createSandbox(policies, options);
  const sent: { outcome: string; policy: string; reason: string }[] = [];
  for (const event of events) sent.push((await sandbox.send(event)).ruling);
  sandbox.close();
  return sent.map(({ outcome, policy: by, reason }) => ({ outcome, by, reason }));
}

describe("how long and for whom a warning counts", () => {
  it("for this agent's session only", async () => {
    const other = claudeEvent({
      hook_event_name: "PreToolUse",
      session_id: "other",
      tool_name: "Bash",
      tool_use_id: "o",
      tool_input: { command: "rm -rf a" },
    });
    const said = await outcomes([policy], [shell("rm -rf a"), other, shell("rm -rf a")]);
    expect(said.map(({ outcome }) => outcome)).toEqual(["deny", "deny", "pass"]);
  });

  it("not for a subagent that was never warned, nor for its parent", async () => {
    const bySubagent = toolBefore("Bash", { command: "rm -rf a" }, { agent_id: "a1", agent_type: "general-purpose" });
    const again = toolBefore("Bash", { command: "rm -rf b" }, { agent_id: "a1", agent_type: "general-purpose" });
    const said = await outcomes([policy], [shell("rm -rf a"), bySubagent, again, shell("rm -rf b")]);
    expect(said.map(({ outcome }) => outcome)).toEqual(["deny", "deny", "pass", "pass"]);
  });

  it("for a time", async () => {
    const world = { now: FAKE_NOW, options: { minutes: 10 } };
    const sandbox = createSandbox([policy], world);
    const at = async (minutes: number) => {
      world.now = FAKE_NOW + minutes * 60_000;
      return (await sandbox.send(shell("rm -rf a"))).ruling.outcome;
    };
    expect([await at(0), await at(10), await at(11), await at(12)]).toEqual(["deny", "pass", "deny", "pass"]);
    sandbox.close();
  });

  it("for another supervisor it does not", async () => {
    const env: Record<string, string> = { CLAUDE_SUPERVISOR_PID: "1" };
    const sandbox = createSandbox([policy], { env });
    expect((await sandbox.send(shell("rm -rf a"))).ruling.outcome).toBe("deny");
    env.CLAUDE_SUPERVISOR_PID = "2";
    expect((await sandbox.send(shell("rm -rf a"))).ruling.outcome).toBe("deny");
    env.CLAUDE_SUPERVISOR_PID = "1";
    expect((await sandbox.send(shell("rm -rf a"))).ruling.outcome).toBe("pass");
    sandbox.close();
  });
});

describe("together with the safety guard", () => {
  const both = (...commands: string[]) => outcomes([guard, policy], commands.map(shell));

  it("a class is denied first, and then the guard's own answer comes, for every target", async () => {
    const lines = [
      "rm -rf src",
      "rm -rf src",
      "rm -rf /home/dev/Documents/thesis",
      "git reset --hard",
      "git reset --hard",
    ];
    const said = await both(...lines);
    expect(said.map(({ outcome, by }) => `${outcome} ${by}`)).toEqual([
      "deny session/one-strike",
      "ask safety/destructive-command",
      "ask safety/destructive-command",
      "deny session/one-strike",
      "ask safety/destructive-command",
    ]);
    for (const { reason } of said) expect(reason).not.toContain("passes when it is tried again");
  });

  it("roots and remote history are denied every time, and no retry is promised", async () => {
    for (const command of ["rm -rf ~", "git push --force"]) {
      for (const { outcome, by, reason } of await both(command, command)) {
        expect({ outcome, by }).toEqual({ outcome: "deny", by: "safety/destructive-command" });
        expect(reason).not.toContain("tried again");
        expect(reason).not.toContain("once more");
      }
    }
  });

  it("what is in no class stays a question", async () => {
    const said = await both("rm notes.txt", "rm notes.txt");
    expect(said.map(({ outcome }) => outcome)).toEqual(["ask", "ask"]);
  });
});
