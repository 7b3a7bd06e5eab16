import { describe, expect, it } from "vitest";
import { compileGlob } from "../../config/patterns.ts";
import type { AnyEvent, EventOf, JsonObject } from "../../core/event.ts";
import { edits, PROJECT, shell, toolBefore, USER_HOME, writes } from "../../testing/events.ts";
import { FAKE_NOW, type FakeFile, fakePorts } from "../../testing/fake-ports.ts";
import { callerNames } from "./caller.ts";
import { type Claim, COORDINATOR, liveClaims, patternsOf } from "./claim.ts";
import { below, type ClaimReader, isTemporary, namesOfFile, shownPath } from "./file-names.ts";
import { foreignTarget } from "./foreign-target.ts";
import { literalBase, normalizedPattern, patternCovers } from "./patterns.ts";
import { writtenTargets } from "./written-targets.ts";

type Files = Readonly<Record<string, FakeFile>>;

function readerOf(files: Files = {}): ClaimReader & { readonly globs: string[] } {
  const ports = fakePorts({ files });
  const globs: string[] = [];
  return {
    globs,
    realPath: (file) => ports.realPath(file),
    info: (file) => ports.info(file),
    read: {
      text: (file, _about, digest) => {
        const text = ports.readText(file, 4_096);
        return text === undefined ? undefined : digest(text);
      },
    },
    glob: (pattern, name) => {
      globs.push(pattern);
      return compileGlob(pattern).matches(name);
    },
  };
}

const toolCall = (event: AnyEvent): EventOf<"tool.before"> => event as EventOf<"tool.before">;

const WORKTREE = `${PROJECT}/.claude/worktrees/a1`;
const LINKED: Files = { [`${WORKTREE}/.git`]: `gitdir: ${PROJECT}/.git/worktrees/a1\n` };

const claim = (owner: string, pattern: string, expiresAt?: number): Claim => ({
  owner,
  pattern,
  source: "test",
  ...(expiresAt !== undefined && { expiresAt }),
});

const CLAIMS = [
  claim("worker-1", "src/api"),
  claim("worker-2", "src/web/"),
  claim("worker-2", "./src/**/*.css"),
  claim("worker-2", `${PROJECT}/assets/logo.svg`),
  claim("worker-2", "app/[id]/page.tsx"),
  claim("worker-2", "src/link"),
  claim("worker-2", "tests/../spec"),
  claim("worker-3", "src/db", FAKE_NOW),
  claim("worker-3", "src/cli", FAKE_NOW + 1),
  claim(COORDINATOR, "**/package.json"),
  claim(COORDINATOR, ".github"),
  claim(COORDINATOR, "src/api/types.ts"),
];

function foreign(event: AnyEvent, { owners = ["worker-1"], claims = CLAIMS, files = {} as Files } = {}) {
  const targets = writtenTargets(toolCall(event), USER_HOME);
  return foreignTarget({ claims, owners, targets, root: PROJECT, now: FAKE_NOW }, readerOf(files));
}

describe("a target belongs to another owner", () => {
  const toSrcWeb = { [`${PROJECT}/mine`]: { link: `${PROJECT}/src/web` } };
  it.each<[string, AnyEvent, string, string, Parameters<typeof foreign>[1]?]>([
    ["a file in a folder", edits("src/web/page.ts"), "worker-2", "src/web/page.ts"],
    ["a new file", writes("src/web/new.ts"), "worker-2", "src/web/new.ts"],
    ["a whole path", edits(`${PROJECT}/src/web/page.ts`), "worker-2", "src/web/page.ts"],
    ["a way around", edits("src/api/../web/page.ts"), "worker-2", "src/web/page.ts"],
    ["by a glob", edits("src/api/a.css"), "worker-2", "src/api/a.css"],
    ["by an absolute pattern", edits("assets/logo.svg"), "worker-2", "assets/logo.svg"],
    ["by a pattern with `..` in it", edits("spec/a.ts"), "worker-2", "spec/a.ts"],
    ["whose name looks like a glob", edits("app/[id]/page.tsx"), "worker-2", "app/[id]/page.tsx"],
    ["which that glob matches", edits("app/i/page.tsx"), "worker-2", "app/i/page.tsx"],
    ["of the coordinator", edits("package.json"), COORDINATOR, "package.json"],
    ["of the coordinator, deep", edits("src/api/package.json"), COORDINATOR, "src/api/package.json"],
    ["in a folder of the coordinator", writes(".github/workflows/ci.yml"), COORDINATOR, ".github/workflows/ci.yml"],
    ["taken out of the caller's own folder", edits("src/api/types.ts"), COORDINATOR, "src/api/types.ts"],
    ["until the claim expires", edits("src/cli/a.ts"), "worker-3", "src/cli/a.ts"],
    ["for the coordinator", edits("src/api/a.ts"), "worker-1", "src/api/a.ts", { owners: [COORDINATOR] }],
    ["for an agent without claims", edits("src/api/a.ts"), "worker-1", "src/api/a.ts", { owners: [] }],
    ["for a name in other case", edits("src/api/a.ts"), "worker-1", "src/api/a.ts", { owners: ["Worker-1"] }],
    ["through a link", edits("mine/page.ts"), "worker-2", "mine/page.ts", { files: toSrcWeb }],
    [
      "by the name of a link",
      edits("src/link/a.ts"),
      "worker-2",
      "src/link/a.ts",
      { files: { [`${PROJECT}/src/link`]: { link: `${PROJECT}/elsewhere` } } },
    ],
    [
      "in a linked worktree",
      edits(`${WORKTREE}/src/web/a.ts`),
      "worker-2",
      ".claude/worktrees/a1/src/web/a.ts",
      {
        files: LINKED,
      },
    ],
    [
      "in a linked worktree outside",
      edits("/wt/a1/src/web/a.ts"),
      "worker-2",
      "/wt/a1/src/web/a.ts",
      {
        files: { "/wt/a1/.git": `gitdir: ${PROJECT}/.git/worktrees/a1\n` },
      },
    ],
    [
      "the project behind a link",
      edits("/home/dev/link/src/web/a.ts"),
      "worker-2",
      "/home/dev/link/src/web/a.ts",
      {
        files: { "/home/dev/link": { link: PROJECT } },
      },
    ],
    ["a redirection", shell("echo x > src/web/a.ts"), "worker-2", "src/web/a.ts"],
    ["the second target", shell("cp a src/api/b; sed -i s/a/b/ src/web/a.ts"), "worker-2", "src/web/a.ts"],
    ["a copy into a folder", shell("cp a.ts src/web"), "worker-2", "src/web"],
    ["a copy to a file of a folder", shell("cp types.ts src/api/"), COORDINATOR, "src/api/types.ts"],
    ["a folder that is removed with files in it", shell("rm -r src"), "worker-2", "src"],
    ["a folder that is moved", shell("mv assets old"), "worker-2", "assets"],
    ["a folder that is searched", shell("find src -delete"), "worker-2", "src"],
    ["the project itself", shell("rm -rf ."), "worker-2", "."],
    ["a folder above the project", shell("rm -rf .."), "worker-2", "/home/dev"],
    ["what a pattern of the shell matches", shell("rm src/web/*.ts"), "worker-2", "src/web/*.ts"],
    ["a folder that a pattern matches", shell("rm -r src/*"), "worker-2", "src/*"],
    ["a file that a pattern matches", shell("rm src/api/t*"), COORDINATOR, "src/api/t*"],
    ["a glob that a pattern meets", shell("rm *.json"), COORDINATOR, "*.json"],
  ])("%s", (_name, event, owner, path, more) => {
    const found = foreign(event, more);
    expect(found).toMatchObject({ path, claim: { owner } });
  });
});

describe("a target belongs to the caller or to nobody", () => {
  it.each<[string, AnyEvent, Parameters<typeof foreign>[1]?]>([
    ["its own file", edits("src/api/a.ts")],
    ["its own folder", shell("mkdir -p src/api")],
    ["what nobody claims", edits("lib/a.ts")],
    ["a name that only begins alike", edits("src/website/a.ts")],
    ["a name in other case", edits("src/Web/a.ts")],
    ["a claim that has expired", edits("src/db/a.ts")],
    ["a caller with several names", edits("src/web/a.ts"), { owners: ["worker-1", "worker-2"] }],
    ["a file outside the project", edits("/home/dev/other/src/web/a.ts")],
    ["a project that only begins alike", edits(`${PROJECT}2/src/web/a.ts`)],
    ["a scratch file", shell("echo x > /tmp/src/web/a")],
    ["a link that leads out", edits("mine/a.ts"), { files: { [`${PROJECT}/mine`]: { link: "/home/dev/other" } } }],
    [
      "a submodule",
      edits("vendor/lib/src/web/a.ts"),
      { files: { [`${PROJECT}/vendor/lib/.git`]: "gitdir: ../../.git/modules/lib\n" } },
    ],
    [
      "another repository inside",
      edits("vendor/lib/src/web/a.ts"),
      { files: { [`${PROJECT}/vendor/lib/.git`]: { dir: 0o755 } } },
    ],
    ["reading", shell("cat src/web/a.ts")],
    ["what git moves", shell("git mv src/web/a.ts src/web/b.ts; git diff --output=src/web/d.patch")],
    ["a target that nobody can know", shell('rm "$FILE"')],
    ["a folder that is made", shell("mkdir -p src")],
    ["a copy into a folder that others use too", shell("cp a.ts src")],
    ["a mode that is changed", shell("chmod 755 src")],
    ["a removed folder in which a glob may have a file", shell("rm -r src/api/old")],
    ["a pattern with which a glob may have a file", shell("rm src/api/old/*")],
    ["a pattern that matches others", shell("rm src/*.ts")],
    ["no claims", edits("src/web/a.ts"), { claims: [] }],
  ])("%s", (_name, event, more) => {
    expect(foreign(event, more)).toBeUndefined();
  });
});

it("the library for globs is asked only about globs that may cover the target", () => {
  const reader = readerOf();
  const targets = [{ path: `${PROJECT}/lib/a.ts` }, { path: `${PROJECT}/lib/a.css` }, { path: `${PROJECT}/src/a.css` }];
  foreignTarget({ claims: CLAIMS, owners: [], targets, root: PROJECT, now: FAKE_NOW }, reader);
  expect(reader.globs).toEqual(["src/**/*.css"]);
});

describe("the names of the caller", () => {
  it.each<[string, JsonObject, string | undefined, readonly string[]]>([
    ["none", {}, undefined, []],
    ["an empty one of the environment", {}, "", []],
    ["of the environment", {}, "api", ["api"]],
    ["of the event, before the environment", { agent_id: "a1", agent_type: "web" }, "api", ["web", "a1"]],
    ["of a type alone", { agent_type: "worker-1" }, undefined, ["worker-1"]],
    [
      "of a plugin's agent",
      { agent_id: "a1", agent_type: "omc:worker-1" },
      undefined,
      ["omc:worker-1", "worker-1", "a1"],
    ],
    ["of a teammate first", { agent_id: "a1", agent_type: "x", teammate_name: "web" }, undefined, ["web", "x", "a1"]],
    ["once each", { agent_id: "x", agent_type: "x", teammate_name: "x" }, undefined, ["x"]],
    ["not one of another type", { teammate_name: 5 }, undefined, []],
  ])("%s", (_name, more, named, expected) => {
    expect(callerNames(toolBefore("Edit", { file_path: "a" }, more), named)).toEqual(expected);
  });
});

describe("the targets of a call", () => {
  const at = (name: string): string => `${PROJECT}/${name}`;
  it.each<[string, AnyEvent, readonly object[]]>([
    ["an edit", edits("a.ts"), [{ path: at("a.ts") }]],
    ["a notebook", toolBefore("NotebookEdit", { notebook_path: "n.ipynb", new_source: "" }), [{ path: at("n.ipynb") }]],
    ["reading", toolBefore("Read", { file_path: "a.ts" }), []],
    ["a removal", shell("rm a.ts"), [{ path: at("a.ts"), takesFolder: true }]],
    ["a pattern", shell("rm src/*.ts"), [{ path: at("src"), pattern: at("src/*.ts") }]],
    ["a new folder", shell("mkdir src"), [{ path: at("src") }]],
    ["git", shell("git mv a b"), []],
  ])("%s", (_name, event, expected) => {
    expect(writtenTargets(toolCall(event), USER_HOME)).toEqual(expected);
  });

  it("that moves a file are where it was, where it goes, and the file in there should it be a folder", () => {
    expect(writtenTargets(toolCall(shell("mv a.ts b")), USER_HOME)).toEqual([
      { path: at("b") },
      { path: at("b/a.ts"), takesFolder: true },
      { path: at("a.ts"), takesFolder: true },
    ]);
  });
});

describe("the names of a file", () => {
  const folders = [{ folder: PROJECT }, { folder: "/wt/all" }, { folder: "/wt/api", prefix: "api" }];
  it.each<[string, string, readonly string[], Files?]>([
    ["in the project", `${PROJECT}/src/a.ts`, ["src/a.ts"]],
    ["the project itself", PROJECT, ["."]],
    ["in another folder", "/wt/all/src/a.ts", ["src/a.ts"]],
    ["in a folder with a prefix", "/wt/api/src/a.ts", ["src/a.ts", "api/src/a.ts"]],
    ["outside", "/home/dev/other/a.ts", []],
    ["in a linked worktree", `${WORKTREE}/a.ts`, [".claude/worktrees/a1/a.ts", "a.ts"], LINKED],
  ])("%s", (_name, file, expected, files) => {
    expect(namesOfFile(file, folders, readerOf(files))).toEqual(expected);
  });
});

describe("a pattern covers a name", () => {
  it.each<[string, readonly string[], boolean]>([
    ["src", ["src/a.ts"], true],
    ["src/", ["src/a.ts"], true],
    ["./src//", ["src"], true],
    ["src", ["srcs/a.ts"], false],
    ["src/../lib", ["lib/a.ts"], true],
    [`${PROJECT}/src`, ["src/a.ts"], true],
    [PROJECT, ["src/a.ts"], true],
    [".", ["src/a.ts"], true],
    [".", ["../other/a.ts"], false],
    ["src/*.ts", ["lib/a.ts", "src/a.ts"], true],
    ["src/*.ts", ["src/deep/a.ts"], false],
  ])("%s, %j: %s", (pattern, names, expected) => {
    expect(patternCovers(pattern, names, PROJECT, readerOf())).toBe(expected);
  });

  it("but nothing, if it is no valid glob", () => {
    expect(patternCovers("src/[", ["src/["], PROJECT, { glob: () => undefined })).toBe(false);
  });

  it.each([
    ["src/api", "src/api"],
    ["src/*.ts", "src"],
    ["src/deep/{a,b}/c", "src/deep"],
    ["*.ts", "."],
    ["**/a", "."],
  ])("its literal beginning: %s → %s", (pattern, base) => {
    expect(literalBase(pattern)).toBe(base);
  });

  it("is normalized once for all comparisons", () => {
    expect(normalizedPattern("./a/./b/../c//", PROJECT)).toBe("a/c");
    expect(normalizedPattern("/", "/")).toBe(".");
  });
});

describe("claims", () => {
  it("count until they expire", () => {
    const claims = [claim("a", "x"), claim("b", "x", 5), claim("c", "x", 6)];
    expect(liveClaims(claims, 5).map(({ owner }) => owner)).toEqual(["a", "c"]);
  });

  it("give the patterns of some owners, in the order of the owners", () => {
    const claims = [claim("a", "1"), claim("b", "2"), claim("a", "3"), claim("c", "4")];
    expect(patternsOf(claims, ["b", "a"])).toEqual(["2", "1", "3"]);
  });
});

describe("paths", () => {
  it.each([
    [PROJECT, `${PROJECT}/a`, "a"],
    [PROJECT, PROJECT, "."],
    ["/", "/a", "a"],
    [PROJECT, `${PROJECT}2/a`, undefined],
  ])("%s holds %s as %s", (folder, file, name) => {
    expect(below(folder, file)).toBe(name);
  });

  it("are shown relative to the project if they are inside", () => {
    expect(shownPath(`${PROJECT}/src/a.ts`, PROJECT)).toBe("src/a.ts");
    expect(shownPath("/etc/a", PROJECT)).toBe("/etc/a");
  });

  it.each([
    ["/tmp/a", true],
    ["/dev/null", true],
    ["/scratch/a", true],
    ["/private/tmp/a", true],
    ["/tmp2/a", false],
    ["/tmp", false],
  ])("%s is temporary: %s", (file, expected) => {
    const reader = readerOf({ "/tmp": { link: "/private/tmp" } });
    expect(isTemporary(file, "/scratch", reader)).toBe(expected);
  });
});
