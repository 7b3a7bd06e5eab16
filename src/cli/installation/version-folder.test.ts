import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256OfBytes } from "../../agents/settings-file.ts";
import { BUNDLE, failing, filesBelow, makePackage, makeWorld, type SetupWorld } from "./setup.samples.ts";
import { packageRootOf, prepareVersionFolder, type VersionFolder, type VersionSource } from "./version-folder.ts";

let world: SetupWorld;
let versions: string;
let dist: string;
beforeEach(() => {
  world = makeWorld();
  versions = path.join(world.home, "versions");
  dist = path.join(world.packageRoot, "dist");
});
afterEach(() => rmSync(world.root, { recursive: true, force: true }));

function prepare(more: Partial<VersionSource> = {}): VersionFolder {
  return prepareVersionFolder({
    packageRoot: world.packageRoot,
    versions,
    env: world.env,
    hasSqlite: true,
    node: "/opt/node",
    ...more,
  });
}

const SOURCE = '#include <stdio.h>\nint main(void) { puts("built " HW_BUILD); return 0; }\n';
function shipSource(text = SOURCE): void {
  rmSync(path.join(dist, "hook"));
  mkdirSync(path.join(world.packageRoot, "client"));
  writeFileSync(path.join(world.packageRoot, "client", "hook.c"), text);
}

describe("copying", () => {
  test("the folder is private, whole and named by version and build", () => {
    const made = prepare();
    const directory = path.join(versions, "1.2.3-abc123");
    expect(made).toMatchObject({
      directory,
      client: { kind: "c", command: path.join(directory, "hook"), args: [] },
      notes: [],
    });
    const hashed = [
      "config.cjs",
      "daemon.cjs",
      "engine.cjs",
      "fleet-link.cjs",
      "hook",
      "hook.cjs",
      "opencode.cjs",
      "outside-worker.cjs",
      "patterns.cjs",
      "pi.cjs",
      "shim.cjs",
      "toml.cjs",
    ];
    expect(Object.keys(made.files).sort()).toEqual(hashed);
    expect(readdirSync(versions)).toEqual(["1.2.3-abc123"]);
    expect(readdirSync(directory).sort()).toEqual([...BUNDLE, "build.json", "hook", "node.path"].sort());
    expect(readFileSync(path.join(directory, "node.path"), "utf8")).toBe("/opt/node\n");
    for (const name of BUNDLE) expect(readFileSync(path.join(directory, name), "utf8")).toBe(`${name} of abc123`);
    const mode = (file: string): number => statSync(file).mode & 0o777;
    expect([world.home, versions, directory, path.join(directory, "hook")].map(mode)).toEqual([448, 448, 448, 448]);
    expect(mode(path.join(directory, "hook.cjs"))).toBe(0o600);
    expect(mode(path.join(directory, "engine"))).toBe(0o700);
  });

  test("a whole folder is left as it is, another build gets its own", () => {
    const { directory } = prepare();
    writeFileSync(path.join(directory, "engine.cjs"), "marked");
    prepare();
    expect(readFileSync(path.join(directory, "engine.cjs"), "utf8")).toBe("marked");
    makePackage(world.packageRoot, { version: "1.2.3", build: "def456" });
    prepare();
    expect(readdirSync(versions).sort()).toEqual(["1.2.3-abc123", "1.2.3-def456"]);
    expect(readFileSync(path.join(directory, "engine.cjs"), "utf8")).toBe("marked");
  });

  test("a repair replaces what was changed, and nothing is missing meanwhile", () => {
    const { directory } = prepare();
    const whole = filesBelow(versions);
    writeFileSync(path.join(directory, "engine.cjs"), "changed");
    writeFileSync(path.join(directory, "engine-v1.cache"), "perhaps changed too");
    prepare({ isRepair: true });
    expect(filesBelow(versions)).toEqual(whole);
  });

  test("code caches are among what is watched", () => {
    writeFileSync(path.join(dist, "engine-v1.cache"), "code");
    const { directory } = prepare();
    writeFileSync(path.join(directory, "engine-v2.cache"), "made by a hook");
    expect(Object.keys(prepare().files)).toEqual(expect.arrayContaining(["engine-v1.cache", "engine-v2.cache"]));
  });

  const damages: readonly (readonly [string, (directory: string) => void])[] = [
    ["a file is missing", (directory) => rmSync(path.join(directory, "daemon.cjs"))],
    ["the program that begins sessions is missing", (directory) => rmSync(path.join(directory, "engine"))],
    ["the client is missing", (directory) => rmSync(path.join(directory, "hook"))],
    ["it says it is another build", (directory) => writeFileSync(path.join(directory, "build.json"), "{}")],
    ["build.json is cut", (directory) => writeFileSync(path.join(directory, "build.json"), '{"vers')],
    ["Node has moved", (directory) => writeFileSync(path.join(directory, "node.path"), "/old/node\n")],
  ];
  test.each(damages)("%s: it is mended", (_name, damage) => {
    const { directory } = prepare();
    const whole = filesBelow(versions);
    damage(directory);
    expect(filesBelow(versions)).not.toEqual(whole);
    prepare();
    expect(filesBelow(versions)).toEqual(whole);
  });

  const missing: readonly string[] = ["build.json", "engine.cjs", "env.list"];
  test.each(missing)("without dist/%s nothing is made", async (name) => {
    rmSync(path.join(dist, name));
    const error = await failing("HW_NOT_BUILT", prepare);
    expect(error.message).toContain(path.join(dist, name));
    expect(filesBelow(world.home)).toEqual({});
  });

  test("a failed copy leaves no folder behind", async () => {
    rmSync(path.join(dist, "env.list"));
    mkdirSync(path.join(dist, "env.list"));
    await failing("HW_WRITE_FAILED", prepare);
    expect(readdirSync(versions)).toEqual([]);
  });

  test("a home below a regular file is refused", async () => {
    writeFileSync(world.home, "");
    const error = await failing("HW_WRITE_FAILED", prepare);
    expect(error.message).toContain("ENOTDIR");
  });

  const asRoot = process.getuid?.() === 0;
  if (asRoot) console.log("skipped: a code cache that may not be read (root may read everything)");
  test.skipIf(asRoot)("a code cache that may not be read is left out", () => {
    writeFileSync(path.join(dist, "engine-v1.cache"), "", { mode: 0o000 });
    expect(readdirSync(prepare().directory)).not.toContain("engine-v1.cache");
  });

  test("an engine that cannot be started is left out, and that is said", () => {
    writeFileSync(path.join(dist, "engine"), "#!/nowhere/sh\n");
    const { directory, notes } = prepare();
    expect(readdirSync(directory)).not.toContain("engine");
    expect(notes.join()).toContain("which begins sessions, cannot be started from there");
  });

  test("cli.mjs is optional", () => {
    rmSync(path.join(dist, "cli.mjs"));
    expect(readdirSync(prepare().directory)).not.toContain("cli.mjs");
  });

  test("the package root is found from a module in it", () => {
    expect(packageRootOf(import.meta.url)).toBe(fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, ""));
  });
});

describe("the client", () => {
  const hasCompiler = spawnSync("cc", ["--version"]).status === 0;
  test.skipIf(!hasCompiler)("is compiled when the package brings none, and knows its build", () => {
    shipSource();
    const { client, notes } = prepare();
    expect(notes).toEqual([]);
    expect(spawnSync(client.command, { encoding: "utf8" }).stdout).toBe("built abc123\n");
  });

  test.skipIf(!hasCompiler)("is compiled when the one in the package is for another machine", () => {
    shipSource();
    writeFileSync(path.join(dist, "hook"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 9, 9, 9, 9]));
    expect(spawnSync(prepare().client.command, { encoding: "utf8" }).stdout).toBe("built abc123\n");
  });

  const machine = `${process.platform}-${process.arch}`;
  /** Puts a client into the package of this machine, and its hash, or another one, into the main package. */
  function shipPrebuilt(text: string, sha256 = sha256OfBytes(Buffer.from(text))): void {
    const folder = path.join(world.packageRoot, "node_modules", "@hookwright", `client-${machine}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: `@hookwright/client-${machine}` }));
    writeFileSync(path.join(folder, "hook"), text);
    writeFileSync(path.join(dist, "clients.json"), JSON.stringify({ [machine]: { sha256 } }));
  }
  const clientText = (): string => readFileSync(path.join(prepare({ env: {} }).directory, "hook"), "utf8");

  test("is taken from the package of this machine first", () => {
    shipPrebuilt("#!/bin/sh\n# prebuilt\n");
    expect(clientText()).toContain("prebuilt");
  });

  test("is not taken from there if it cannot start, or if no hash of this machine is known", () => {
    shipPrebuilt("#!/bin/sh\n# prebuilt\nexit 3\n");
    expect(clientText()).not.toContain("prebuilt");
    rmSync(versions, { recursive: true });
    shipPrebuilt("#!/bin/sh\n# prebuilt\n");
    writeFileSync(path.join(dist, "clients.json"), "{}");
    expect(clientText()).not.toContain("prebuilt");
  });

  test("is not taken from there if it is another than this version was published with, and that is said", () => {
    shipPrebuilt("#!/bin/sh\n# prebuilt\n", "0".repeat(64));
    const { directory, notes } = prepare();
    expect(readFileSync(path.join(directory, "hook"), "utf8")).not.toContain("prebuilt");
    expect(notes.join()).toContain("not the one that this version was published with");
  });

  test("is compiled when the package of this machine was not installed", () => {
    shipPrebuilt("#!/bin/sh\n# prebuilt\n");
    rmSync(path.join(world.packageRoot, "node_modules"), { recursive: true });
    rmSync(path.join(dist, "hook"));
    expect(prepare({ env: { PATH: world.root } }).notes.join()).toContain("no source of it");
  });

  /** A folder with a fake compiler that writes its arguments into a script and refuses -static. */
  function fakeCompiler(): string {
    const bin = path.join(world.root, "bin");
    mkdirSync(bin);
    const script = [
      "#!/bin/sh",
      '[ "$1" = -static ] && exit 1',
      'all=$(echo "$*" | sed "s/ -o .*//"); while [ "$1" != -o ]; do shift; done',
      `printf "#!/bin/sh\\necho '%s'\\n" "$all" > "$2"`,
    ];
    writeFileSync(path.join(bin, "cc"), script.join("\n"), { mode: 0o755 });
    return bin;
  }

  test("is linked dynamically where there is no static C library", () => {
    shipSource();
    const { client } = prepare({ env: { PATH: `${fakeCompiler()}:/usr/bin:/bin` } });
    expect(client.kind).toBe("c");
    expect(spawnSync(client.command, { encoding: "utf8" }).stdout).toBe('-O2 -std=gnu11 -DHW_BUILD="abc123"\n');
  });

  const reasons: readonly (readonly [string, string, () => NodeJS.ProcessEnv])[] = [
    ["no compiler", "no C compiler was found (cc, gcc, clang)", () => ({ PATH: world.root })],
    [
      "only one by a relative PATH, which the current directory could choose",
      "no C compiler was found",
      () => ({ PATH: path.relative(process.cwd(), path.join(world.root, "bin")) }),
    ],
  ];
  test.each(reasons)("%s: the Node client is used, and it is said why", (_name, reason, env) => {
    shipSource();
    fakeCompiler();
    const { directory, client, notes } = prepare({ env: env() });
    expect(client).toEqual({ kind: "node", command: "/opt/node", args: [path.join(directory, "hook.cjs")] });
    expect(notes.join()).toContain(reason);
    expect(prepare({ env: env() }).notes).toEqual(notes);
  });

  test.skipIf(!hasCompiler)("source that does not compile is said too", () => {
    shipSource("int main(void) { return }\n");
    const { client, notes } = prepare();
    expect(client.kind).toBe("node");
    expect(notes.join()).toContain("could not compile it");
  });
});

describe("SQLite for a Node that has none", () => {
  const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

  test("libsql stands alone in the folder", () => {
    symlinkSync(modules, path.join(world.packageRoot, "node_modules"));
    const { directory } = prepare({ hasSqlite: false });
    rmSync(path.join(world.packageRoot, "node_modules"));
    const packages = readdirSync(path.join(directory, "node_modules")).sort();
    expect(packages).toEqual(["@libsql", "@neon-rs", "detect-libc", "libsql"]);
    expect(readdirSync(path.join(directory, "node_modules", "@libsql"))).toHaveLength(1);
    writeFileSync(
      path.join(directory, "try.cjs"),
      'const D = require("libsql"); console.log(new D(":memory:").prepare("select 6*7 as n").get().n)',
    );
    const run = spawnSync(process.execPath, [path.join(directory, "try.cjs")], { encoding: "utf8", cwd: "/" });
    expect(run.stdout, run.stderr).toBe("42\n");
  });

  test("a folder made by a Node with SQLite gets it later", () => {
    const { directory } = prepare();
    symlinkSync(modules, path.join(world.packageRoot, "node_modules"));
    prepare({ hasSqlite: false });
    expect(readdirSync(directory)).toContain("node_modules");
  });

  test("without libsql it is refused before anything is made", async () => {
    const error = await failing("HW_NO_SQLITE", () => prepare({ hasSqlite: false }));
    expect(error.message).toContain("libsql");
    expect(filesBelow(world.home)).toEqual({});
  });
});
