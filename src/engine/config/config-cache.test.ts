import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ConfigSource, compileConfig } from "../../config/compile.ts";
import { type Config, DEFAULT_CONFIG } from "../../core/settings/config.ts";
import { type Home, homeAt } from "../../system/home.ts";
import { openConfigCache } from "./config-cache.ts";
import { sha256, trustFileAt } from "./trust.ts";

const ID = "safety/protected-paths";
const MINUTE = 60_000;
const isRoot = process.getuid?.() === 0;

let root: string;
let home: Home;
let project: string;
let mine: string;
let theirs: string;
let compiled: (readonly ConfigSource[])[];

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "hw-config-")));
  home = homeAt(path.join(root, "home"), root);
  project = path.join(root, "project");
  mine = home.config;
  theirs = path.join(project, "hookwright.yml");
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  fs.mkdirSync(home.root);
  compiled = [];
});
afterEach(() => {
  fs.rmSync(root, { recursive: true, force: true });
});

const openCache = (build = "b1") =>
  openConfigCache(home, build, (sources) => {
    compiled.push(sources);
    return compileConfig(sources);
  });
/** As another process would see it: nothing in memory. */
const load = (cwd = project, of = project): Promise<Config> => openCache().load(cwd, of);

/** The file as if it had been left alone for a while: only then does a cache hold on to it. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 130));
}

function trusting(file: string, bytes: string | Buffer): void {
  const record = { file, sha256: sha256(Buffer.from(bytes)), at: "2026-01-01T00:00:00.000Z" };
  fs.writeFileSync(trustFileAt(home.root), JSON.stringify([record]));
}

describe("what is found", () => {
  it("without any file: the defaults, and nothing is compiled or written", async () => {
    expect(await load()).toBe(DEFAULT_CONFIG);
    expect(compiled).toEqual([]);
    expect(fs.existsSync(home.cache)).toBe(false);
  });

  it("both files, the person's first", async () => {
    fs.writeFileSync(mine, "profiles: [plan]");
    fs.writeFileSync(theirs, "profiles: [ntm]");
    expect((await load()).profiles).toEqual(["plan", "ntm"]);
  });

  it("the nearest of a project's files", async () => {
    const deep = path.join(project, "a", "b");
    fs.mkdirSync(deep, { recursive: true });
    fs.writeFileSync(theirs, "profiles: [ntm]");
    expect((await load(deep)).profiles).toEqual(["safety", "ntm"]);
    fs.writeFileSync(path.join(project, "a", "hookwright.yml"), "profiles: [plan]");
    expect((await load(deep)).profiles).toEqual(["safety", "plan"]);
    expect((await load(project)).profiles).toEqual(["safety", "ntm"]);
  });

  it("nothing above the project", async () => {
    fs.writeFileSync(path.join(root, "hookwright.yml"), "profiles: [ntm]");
    expect(await load()).toBe(DEFAULT_CONFIG);
    fs.rmdirSync(path.join(project, ".git"));
    expect(await load()).toBe(DEFAULT_CONFIG);
  });

  it("in a worktree beside the project: its own, else the main checkout's, nothing above", async () => {
    const worktree = path.join(root, "elsewhere", "tree");
    fs.mkdirSync(path.join(worktree, "src"), { recursive: true });
    fs.writeFileSync(path.join(worktree, ".git"), "gitdir: …");
    fs.writeFileSync(path.join(root, "hookwright.yml"), "profiles: [omc]");
    expect(await load(path.join(worktree, "src"))).toBe(DEFAULT_CONFIG);
    fs.writeFileSync(theirs, "profiles: [ntm]");
    expect((await load(path.join(worktree, "src"))).profiles).toEqual(["safety", "ntm"]);
    fs.writeFileSync(path.join(worktree, "hookwright.yml"), "profiles: [plan]");
    expect((await load(path.join(worktree, "src"))).profiles).toEqual(["safety", "plan"]);
  });

  it.each([
    ["nothing", ""],
    ["a relative path", "."],
    ["a path with a NUL", "/a\0b"],
    ["a path that does not exist", "/nowhere/at/all"],
    ["a path that is too long", `/${"x/".repeat(3_000)}`],
    ["a path through a file", "/dev/null/x"],
  ])("nothing when the working directory is %s", async (_name, cwd) => {
    expect(await load(cwd, "/")).toBe(DEFAULT_CONFIG);
  });
});

describe("a change", () => {
  it("counts at once, also within one tick of the clock and with the same size", async () => {
    const cache = openCache();
    for (const letter of "abcdefghijklmnop") {
      fs.writeFileSync(mine, `policies: { ${ID}: { also: [${letter}] } }`);
      const { policies } = await cache.load(project, project);
      expect(policies[ID]?.options?.also).toEqual([letter]);
    }
  });

  it("just made is not held on to: the next may come within the same tick", async () => {
    fs.writeFileSync(theirs, "profiles: [ntm]");
    const justNow = vi.spyOn(Date, "now").mockReturnValue(fs.statSync(theirs).ctimeMs + 50);
    const cache = openCache();
    await cache.load(project, project);
    await cache.load(project, project);
    justNow.mockRestore();
    expect(compiled).toHaveLength(2);
    expect(fs.readdirSync(home.cache).filter((name) => name.endsWith(".json"))).toEqual([]);
  });

  it("is not needed again once a file has settled", async () => {
    fs.writeFileSync(theirs, "profiles: [ntm]");
    await settle();
    const cache = openCache();
    const first = await cache.load(project, project);
    expect(await cache.load(project, project)).toBe(first);
    expect(await load()).toEqual(first);
    expect(compiled).toHaveLength(1);
    await openCache("b2").load(project, project);
    expect(compiled).toHaveLength(2);
  });

  it("is seen although its time was set back", async () => {
    const old = new Date(Date.now() - MINUTE);
    fs.writeFileSync(theirs, "profiles: [ntm]");
    fs.utimesSync(theirs, old, old);
    await settle();
    const cache = openCache();
    await cache.load(project, project);
    fs.writeFileSync(theirs, "profiles: [omc]");
    fs.utimesSync(theirs, old, old);
    expect((await cache.load(project, project)).profiles).toEqual(["safety", "omc"]);
  });

  it("that removes the file leaves the defaults", async () => {
    const cache = openCache();
    fs.writeFileSync(mine, "profiles: []");
    expect((await cache.load(project, project)).profiles).toEqual([]);
    fs.rmSync(mine);
    expect(await cache.load(project, project)).toBe(DEFAULT_CONFIG);
  });

  it.each(["{", "null", "7", '{"profiles": 1}'])("of our own cache to %j is made good", async (text) => {
    fs.writeFileSync(theirs, "profiles: [ntm]");
    await settle();
    const first = await load();
    for (const name of fs.readdirSync(home.cache).filter((one) => one.endsWith(".json"))) {
      fs.writeFileSync(path.join(home.cache, name), text);
    }
    expect(await load()).toEqual(first);
  });
});

describe("a file that breaks", () => {
  const good = `profiles: [safety, ntm]\npolicies: { ${ID}: { mode: observe, also: [a] } }`;
  const expected = { profiles: ["safety", "ntm"], policies: { [ID]: { mode: "observe", options: { also: ["a"] } } } };

  it.each<[string, (file: string) => void, string]>([
    ["a syntax error", (file) => fs.writeFileSync(file, "profiles: ["), "config.yml:1:12: "],
    ["an unknown key", (file) => fs.writeFileSync(file, "\nprofile: []"), "config.yml:2:1: `profile`"],
    ["a key twice", (file) => fs.writeFileSync(file, "profiles: []\nprofiles: []"), "config.yml:2:1: "],
    ["tabs", (file) => fs.writeFileSync(file, "policies:\n\tx: 1"), "config.yml:2:1: Tabs are not allowed"],
    ["aliases of aliases", (file) => fs.writeFileSync(file, bomb()), "Excessive alias count"],
    ["deep nesting", (file) => fs.writeFileSync(file, "[".repeat(100_000)), "nested too deeply"],
    ["1 MB", (file) => fs.writeFileSync(file, `# ${"x".repeat(1 << 20)}`), "1048578 bytes"],
    ["a little too much", (file) => fs.writeFileSync(file, "#".repeat(256 * 1024 + 1)), "262145 bytes"],
    [
      "bytes that are no text",
      (file) => fs.writeFileSync(file, Buffer.from("a: ä\nb\xff", "latin1")),
      "yml:1:4: this is",
    ],
    ["a directory", (file) => replacedBy(file, fs.mkdirSync), "this is a directory"],
    ["a link in a circle", (file) => replacedBy(file, () => fs.symlinkSync(file, file)), "cannot be read (ELOOP"],
  ])("keeps what it said before: %s", async (_name, breakIt, problem) => {
    fs.writeFileSync(mine, good);
    expect(await load()).toMatchObject({ ...expected, problems: [] });
    breakIt(mine);
    for (const when of ["at once", "settled", "cached"]) {
      if (when === "settled") await settle();
      const config = await load();
      expect(config).toMatchObject(expected);
      expect(config.problems.join("\n")).toContain(problem);
      expect(config.problems.join("\n")).toContain(mine);
      expect(config.problems.at(-1)).toContain("what the file said before stays in force");
    }
    fs.rmSync(mine, { recursive: true });
    fs.writeFileSync(mine, "profiles: [safety]");
    expect(await load()).toMatchObject({ profiles: ["safety"], policies: {}, problems: [] });
  });

  it.skipIf(isRoot)("keeps what it said before: no permission", async () => {
    fs.writeFileSync(mine, good);
    await load();
    fs.chmodSync(mine, 0);
    const config = await load();
    expect(config).toMatchObject(expected);
    expect(config.problems[0]).toContain("permission denied");
  });

  it("does not hold back the other one", async () => {
    fs.writeFileSync(mine, "profiles: [safety]");
    fs.writeFileSync(theirs, "profiles: [ntm]");
    await load();
    fs.writeFileSync(theirs, "profiles: [");
    fs.writeFileSync(mine, `policies: { ${ID}: { also: [new] } }`);
    const config = await load();
    expect(config.profiles).toEqual(["safety", "ntm"]);
    expect(config.policies[ID]?.options).toEqual({ also: ["new"] });
  });

  it("from the beginning takes only what is stricter", async () => {
    fs.writeFileSync(mine, `x: 1\nprofiles: [ntm]\npolicies: { ${ID}: off }`);
    const config = await load();
    expect(config.profiles).toEqual(["safety", "ntm"]);
    expect(config.policies[ID]?.mode).toBe("enforce");
  });

  it("exactly at the limit is read", async () => {
    const text = "profiles: [ntm] # ";
    fs.writeFileSync(mine, text + "x".repeat(256 * 1024 - text.length));
    expect(await load()).toMatchObject({ profiles: ["ntm"], problems: [] });
  });

  it("with a byte order mark is not broken", async () => {
    fs.writeFileSync(mine, "\uFEFFprofiles: [ntm]");
    expect(await load()).toMatchObject({ profiles: ["ntm"], problems: [] });
  });

  function replacedBy(file: string, make: (file: string) => void): void {
    fs.rmSync(file);
    make(file);
  }

  function bomb(): string {
    const step = (index: number): string => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`;
    return `a0: &a0 [x, x]\n${Array.from({ length: 9 }, (_, index) => step(index)).join("\n")}`;
  }
});

describe("without a place for the cache", () => {
  it("everything is decided all the same, and it is said", async () => {
    fs.writeFileSync(home.cache, "in the way");
    fs.writeFileSync(mine, "profiles: [ntm]");
    const config = await load();
    expect(config.profiles).toEqual(["ntm"]);
    expect(config.problems).toEqual([expect.stringContaining("The configuration cache cannot be written")]);
  });

  it("the files it makes are the person's alone", async () => {
    fs.writeFileSync(mine, "profiles: [ntm]");
    await settle();
    await load();
    const names = fs.readdirSync(home.cache);
    expect(names.map((name) => name.replace(/[0-9a-f]{32}/, "*")).sort()).toEqual([
      "config-*.json",
      "config-good-*.yml",
    ]);
    for (const name of names) expect(fs.statSync(path.join(home.cache, name)).mode & 0o777).toBe(0o600);
  });
});

describe("trust", () => {
  const text = `policies: { ${ID}: off }`;
  const modeOf = (config: Config): string => config.policies[ID]?.mode ?? "enforce";

  it("is needed to loosen, and is for these bytes in this place", async () => {
    fs.writeFileSync(theirs, text);
    const refused = await load();
    expect(modeOf(refused)).toBe("enforce");
    expect(refused.problems).toEqual([expect.stringContaining("`hookwright trust`")]);
    trusting(theirs, text);
    expect(await load()).toMatchObject({ problems: [] });
    expect(modeOf(await load())).toBe("off");
    const other = path.join(root, "other");
    fs.mkdirSync(other);
    fs.copyFileSync(theirs, path.join(other, "hookwright.yml"));
    expect(modeOf(await load(other, other))).toBe("enforce");
  });

  it("ends with any change, which is said, and with any change back it is there again", async () => {
    fs.writeFileSync(theirs, text);
    trusting(theirs, text);
    await settle();
    const cache = openCache();
    expect(modeOf(await cache.load(project, project))).toBe("off");
    fs.writeFileSync(theirs, `${text}\n`);
    const changed = await cache.load(project, project);
    expect(modeOf(changed)).toBe("enforce");
    expect(changed.problems[0]).toContain(`${theirs} has changed since you trusted it`);
    fs.writeFileSync(theirs, text);
    expect(modeOf(await cache.load(project, project))).toBe("off");
  });

  it("that is taken back ends at once, also for a process that knew of it", async () => {
    fs.writeFileSync(theirs, text);
    trusting(theirs, text);
    await settle();
    const cache = openCache();
    expect(modeOf(await cache.load(project, project))).toBe("off");
    fs.writeFileSync(trustFileAt(home.root), "[]");
    expect(modeOf(await cache.load(project, project))).toBe("enforce");
    trusting(theirs, text);
    expect(modeOf(await cache.load(project, project))).toBe("off");
    fs.rmSync(trustFileAt(home.root));
    expect(modeOf(await cache.load(project, project))).toBe("enforce");
  });

  it("goes by the file itself, whatever link leads to it", async () => {
    fs.writeFileSync(theirs, text);
    trusting(theirs, text);
    const link = path.join(root, "link");
    fs.symlinkSync(project, link);
    expect(modeOf(await load(link, link))).toBe("off");
    const real = path.join(root, "real.yml");
    fs.renameSync(theirs, real);
    fs.symlinkSync(real, theirs);
    expect(modeOf(await load())).toBe("enforce");
  });

  it("of a file that then breaks does not live on in what it said before", async () => {
    fs.writeFileSync(theirs, text);
    trusting(theirs, text);
    expect(modeOf(await load())).toBe("off");
    fs.writeFileSync(theirs, `${text}\nx: 1`);
    expect(modeOf(await load())).toBe("enforce");
  });

  it("is about bytes, not about what they mean", async () => {
    fs.writeFileSync(theirs, `\uFEFF${text}`);
    trusting(theirs, text);
    expect(modeOf(await load())).toBe("enforce");
    trusting(theirs, `\uFEFF${text}`);
    expect(modeOf(await load())).toBe("off");
  });

  it.each(["{", "{}", "null", '[{"file": 1}]', "[null]", ""])("does not come from a record like %j", async (record) => {
    fs.writeFileSync(theirs, text);
    fs.writeFileSync(trustFileAt(home.root), record);
    const config = await load();
    expect(modeOf(config)).toBe("enforce");
    expect(config.problems[0]).toContain("trust.json cannot be used");
    expect(config.problems[0]).toContain("no project is trusted");
  });

  it("does not come from a directory in its place", async () => {
    fs.writeFileSync(theirs, text);
    fs.mkdirSync(trustFileAt(home.root));
    expect(modeOf(await load())).toBe("enforce");
  });

  it("is not looked at for the person's own file", async () => {
    fs.writeFileSync(mine, text);
    fs.writeFileSync(trustFileAt(home.root), "{");
    expect(await load()).toMatchObject({ problems: [] });
    expect(modeOf(await load())).toBe("off");
  });
});
