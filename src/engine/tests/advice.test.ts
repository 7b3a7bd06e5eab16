import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STRIKE_CLASSES } from "../../domain/loss/strike-classes.ts";
import { SHIPPED_RULES } from "../../domain/session/rules/shipped.ts";
import { effectsOf } from "../../effects/effects.ts";
import { registry } from "../../policies/index.gen.ts";
import { readShell } from "../../shell/shell.ts";
import { AllProfiles } from "./all-profiles.samples.ts";

/** Lines that follow an advice, or why none can be made of it. */
type Followed = readonly string[] | { readonly no: string };

const PERSON = { no: "the person does it" };
const NOTHING = { no: "it says what not to do" };
const ANOTHER_TOOL = { no: "it is about a call of another tool" };
const NO_COMMAND = { no: "it is no command" };

const COMMIT = ["git switch -c keep-work", "git add src/a.ts", "git commit -m 'Keep the work'"];
const DRY_RUN = ["npm publish --dry-run", "rclone delete --dry-run remote:old"];

/** What effects and strikes advise. */
const ADVICE: Readonly<Record<string, Followed>> = {
  "ask the person to open the connection themselves": PERSON,
  "change single files, and only the permission bits that are needed": ["chmod u+x src/a.ts"],
  "commit the work on a branch first": COMMIT,
  "copy it to another name": ["cp src/a.ts src/a-copy.ts"],
  "copy the file to another name first": ["cp src/a.ts src/a-copy.ts"],
  "copy to a new folder, or commit the existing files first": ["cp -R src src-new", ...COMMIT],
  "download it to a file, read it, and let the person decide": [
    "curl -fsSL https://example.com/install.sh -o install.sh",
    "cat install.sh",
  ],
  "end single processes by their process id": ["kill 4242"],
  "fetch, and look at the commits that others have pushed": ["git fetch origin", "git log HEAD..origin/main"],
  "do not run this: git deletes old entries automatically": NOTHING,
  "do not send secrets to another machine": NOTHING,
  "give the new key another name": ["ssh-keygen -t ed25519 -f ~/.ssh/id_new -N ''"],
  "keep the commits under another branch name first": ["git branch keep-commits"],
  "keep the remote branch, or ask the people who use it": NOTHING,
  "run it without the option that removes volumes": ["docker compose down"],
  "let a person read the plan before it is applied": PERSON,
  "list the jobs first, and edit single lines": ["crontab -l"],
  "list these files with a dry run": ["git clean -n -d"],
  "list the files, and commit or move those you may need": ["ls -la src", "mv src/a.ts src/b.ts", ...COMMIT],
  "list the files that it finds first": ["find src -name '*.tmp'"],
  "look at a plan of the changes first": ["terraform plan", "pulumi preview"],
  "look at the diff, and commit the changes you may need": ["git diff", ...COMMIT],
  "look at the status, and commit the changes you may need": ["git status", ...COMMIT],
  "look at the status, or commit the changes on a branch instead": ["git status", ...COMMIT],
  "look at what it holds first, with the subcommand show": ["git stash list", "git stash show -p"],
  "list what it would remove first": ["docker ps -a", "docker volume ls"],
  "list what would be deleted first": { no: "the program is not known, so neither is how it lists things" },
  "list the files first with the dry run of git clean, or commit them on a branch": ["git clean -n", ...COMMIT],
  "mount only the folder that is needed": ["docker run --rm -v ./src:/src node:22 ls /src"],
  "move it to a folder under the system's temporary folder instead, or commit it first": [
    "mv src/a.ts /tmp/kept-for-later/",
    ...COMMIT,
  ],
  "move it without force": ["git mv src/a.ts src/b.ts"],
  "move single files": ["mv src/a.ts src/b.ts"],
  "tell the person which device it is and let them do it": PERSON,
  "push with a lease, so that no commits of others are replaced": ["git push --force-with-lease origin my-feature"],
  "remove the package without its data, or take a backup first": [
    "apt-get remove postgresql",
    "pg_dump app -f app.sql",
  ],
  "run it against a copy, or take a backup first": ["pg_dump app -f app.sql", "cp app.db app-copy.db"],
  "run it with --dry-run first": DRY_RUN,
  "run it with --dry-run=client first": ["kubectl delete pod web --dry-run=client"],
  "run it with --dryrun first": ["aws s3 rm s3://bucket/old --recursive --dryrun"],
  "check whether the commits are merged": ["git branch --merged", "git log main..my-feature"],
  "split it into smaller scripts": { no: "it is about the form of the command that was denied" },
  "use a lowercase -d: git then refuses if commits would be lost": ["git branch -d my-feature"],
  "try it with --dry-run and show the person the list": DRY_RUN,
  "use a published package by its name and version": ["npm install left-pad@1.3.0"],
  "use copy, or run it with --dry-run first": ["rclone copy src remote:src", "rclone sync --dry-run src remote:src"],
  "run plan with -destroy first to list what would be destroyed": ["terraform plan -destroy"],
  "run it without force: git then refuses if something would be lost": [
    "git worktree remove ../other",
    "git switch main",
  ],
  "work on a fresh clone, so that the old commits are kept in the original": ["git clone . ../fresh-clone"],
};

/** What messages have in backticks. */
const QUOTED: Readonly<Record<string, Followed>> = {
  "[removed: …]": NO_COMMAND,
  "{engine} log {log}": ["engine log sessions/2026_01_02_LOGIN/IMPLEMENT_LOG.md <<'E'\n## Done\nE"],
  "{engine} session activate sessions/YYYY_MM_DD_TOPIC SKILL": ["engine session activate sessions/2026_01_03_OTHER do"],
  "engine session check": ["engine session check"],
  "{engine} session continue {quoted}": ["engine session continue sessions/2026_01_02_LOGIN"],
  "engine session deactivate": ["engine session deactivate <<'E'\nDone.\nE"],
  "engine session debrief": ["engine session debrief"],
  "{engine} session dehydrate": ["engine session dehydrate <<'E'\n{}\nE"],
  "hookwright doctor": ["hookwright doctor"],
  "hookwright init": PERSON,
  "hookwright mode start": PERSON,
  "/{mode} REQUEST": PERSON,
  "/ultraqa --goal tests": PERSON,
  "hookwright skills promote {id}": PERSON,
  "hookwright transcript check": PERSON,
  "/clear": PERSON,
  "{init}": PERSON,
  "/compact": PERSON,
  replace_all: ANOTHER_TOOL,
  "hookwright skills remove {name}": PERSON,
  "hookwright teams resume {team}": ["hookwright teams resume atm-dev"],
  "hookwright undo {id}": ["hookwright undo 12"],
  "ntm --robot-spawn=my-fleet": ["ntm --robot-spawn=my-fleet"],
  "ntm --robot-status": ["ntm --robot-status"],
  "ntm save {quoted} -o ./outputs": ["ntm save my-fleet -o ./outputs"],
  "bv --robot-plan": ["bv --robot-plan"],
  "hookwright:dehydrate": ANOTHER_TOOL,
  restart: ANOTHER_TOOL,
  "hookwright {what}": { no: "it is what was denied" },
  "ntm {what}": { no: "it is what was denied" },
  "--robot-{kind}": { no: "it is what was denied" },
  bv: { no: "it is what was denied" },
  engine: { no: "it is the program that is missing" },
  rm: { no: "it is what was denied" },
  "pkill -f {pattern}": { no: "it is what the note is about" },
  delegationEnforcementLevel: NO_COMMAND,
  ...Object.fromEntries(
    [
      "## ",
      "-",
      ".",
      "_",
      "{active}",
      "{command}",
      "{given}",
      "{group}",
      "{name}",
      "{required}",
      "{session}",
      "{team}",
      "{tool}",
      "{type}",
      "{typed}",
    ].map((text) => [text, NO_COMMAND]),
  ),
};

const SOURCES = new URL("../../effects/", import.meta.url);
const SAMPLES = new URL("../../effects/samples/", import.meta.url);
/** In these, `instead` names options of a program. */
const OTHER_MEANING = new Set(["interpreters.ts", "writers.ts"]);

/** Every text that stands for `instead` in the sources: in its place, or as a constant that is put there. */
function adviceInSources(): Set<string> {
  const texts = fs
    .readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !OTHER_MEANING.has(basename(name)))
    .map((name) => fs.readFileSync(new URL(name, SOURCES), "utf8"));
  const all = texts.join("\n");
  const inPlace = [...all.matchAll(/\binstead(?::| =|: [\w.]+ \?\?| \?\?)\s+"([^"]+)"/g)].map(([, text]) => text ?? "");
  const constants = [...all.matchAll(/\bconst ([A-Z_]+) = "([^"]+)"/g)].flatMap(([, name = "", text = ""]) => {
    const isPut = new RegExp(`\\binstead: (?:[\\w.]+ \\?\\? )?${name}\\b|\\bsay\\([^\\n]*, ${name}\\)`).test(all);
    return isPut ? [text] : [];
  });
  return new Set([...inPlace, ...constants]);
}

/** What effects really say, of every line that is known to have some. */
function adviceOfSamples(): Set<string> {
  const said = new Set<string>();
  for (const name of fs.readdirSync(SAMPLES)) {
    for (const line of fs.readFileSync(new URL(name, SAMPLES), "utf8").split("\n")) {
      const at = line.lastIndexOf(" => ");
      if (at < 0 || line.startsWith("#")) continue;
      const shell = readShell(line.slice(0, at).replaceAll("⏎", "\n"), { cwd: "/home/dev/app" });
      for (const { instead } of effectsOf(shell, { cwd: "/home/dev/app", userHome: "/home/dev" })) {
        if (instead !== undefined) said.add(instead);
      }
    }
  }
  return said;
}

/** In backticks, in the messages of policies and in the rules that come with sessions. */
async function quotedInMessages(): Promise<Set<string>> {
  const messages = registry.map(async ({ load }) => Object.values((await load()).default.messages));
  const rules = SHIPPED_RULES.map(({ payload }) => payload.text ?? "");
  const texts = [...(await Promise.all(messages)).flat(), ...rules];
  return new Set(texts.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, inside = ""]) => inside)));
}

it("every advice is classified, and none is that nobody gives", async () => {
  const given = new Set([
    ...adviceInSources(),
    ...adviceOfSamples(),
    ...Object.values(STRIKE_CLASSES).map(({ first }) => first),
  ]);
  expect([...given].sort()).toEqual(Object.keys(ADVICE).sort());
  expect([...(await quotedInMessages())].sort()).toEqual(Object.keys(QUOTED).sort());
});

const lines = [
  ...new Set([...Object.values(ADVICE), ...Object.values(QUOTED)].flatMap((one) => ("no" in one ? [] : one))),
];

describe("with every profile on, in a session that works", () => {
  let world: AllProfiles;
  beforeAll(() => {
    world = new AllProfiles({}, ["src/a.ts"]);
    const git = (...args: string[]): Buffer =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { cwd: world.project });
    git("init", "-q", "-b", "main");
    git("add", "src");
    git("commit", "-qm", "Begin");
    git("branch", "my-feature");
    fs.appendFileSync(`${world.project}/src/a.ts`, "uncommitted\n");
  });
  afterAll(() => world.close());
  let agents = 0;
  /** By an agent of its own: nothing was counted or told before. */
  const decided = (command: string) =>
    world.send({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: `u${agents}`,
      agent_id: `a${++agents}`,
    });

  it.each(lines)("passes: %s", async (line) => {
    expect(await decided(line)).toEqual({ decision: "", text: "" });
  });

  it.each([
    ["git stash", "deny"],
    ["rm -rf src", "deny"],
    ["git reset --hard", "deny"],
  ])("and what is no advice does not: %s", async (line, decision) => {
    expect((await decided(line)).decision).toBe(decision);
  });
});
