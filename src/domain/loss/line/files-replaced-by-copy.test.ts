import { expect, test } from "vitest";
import { effectsOf } from "../../../effects/effects.ts";
import { readShell } from "../../../shell/shell.ts";
import { answerEffects } from "../answer-effects.ts";
import { lineProbes } from "./line-probes.ts";

const APP = "/home/dev/app";
const HOME = "/home/dev";
const FILES = [
  ...["src/a.ts", "src/sub/c.ts", "src/.env", "src/only-here.ts", "dist/a.ts", "src-old/a.ts"],
  ...["vendor/src-old/a.ts", "vendor/src-old/sub/c.ts", "vendor/src-old/.env", "vendor/src-old/new.ts"],
  ...["gen/a.ts", "gen/b.md", "fresh/new.ts", "vendor/src/a.ts"],
].map((name) => `${APP}/${name}`);

/** The losses of a line where git knows no file. */
async function lost(line: string, files: readonly string[] = FILES, ours?: string): Promise<readonly string[]> {
  const shell = readShell(line, { cwd: APP, variables: { HOME, PWD: APP } });
  const isFolder = (path: string) => files.some((file) => file.startsWith(`${path}/`));
  const info = (kind: "file" | "directory") => ({ kind, uid: 1, mode: 0o644 });
  const namesIn = (folder: string) => {
    const inside = files.filter((file) => file.startsWith(`${folder}/`));
    return [...new Set(inside.map((file) => file.slice(folder.length + 1).split("/")[0] ?? ""))];
  };
  const probes = {
    info: (path: string) => (files.includes(path) ? info("file") : isFolder(path) ? info("directory") : undefined),
    list: (path: string) => (isFolder(path) ? namesIn(path) : undefined),
    git: async () => ({ code: 128, stdout: "" }),
    isCreatedBySession: (path: string) => path === ours,
    inText: () => undefined,
    ...lineProbes(shell, APP),
  };
  const context = { cwd: APP, project: APP, userHome: HOME, tempDir: "/tmp", folders: [] };
  const settings = {
    setting: () => "standard" as const,
    onLoss: "ask",
    allowances: [],
    now: 0,
  } as const;
  const answered = await answerEffects(effectsOf(shell, { cwd: APP, userHome: HOME }), context, probes, settings);
  return answered.map(({ effect }) => effect.target);
}

const ALL = ["src/a.ts", "src/sub/c.ts", "src/.env"];

test.each([
  ["cp -r vendor/src-old/. src/", ALL],
  ["cp -rT vendor/src-old src", ALL],
  ["cp -r -t src vendor/src-old/.", ALL],
  ["cp -a vendor/src-old/* src/", ["src/a.ts", "src/sub/c.ts"]],
  ["cp vendor/src-old/* src/", ["src/a.ts"]],
  ["cp -r vendor/*/a.ts src", ["src/a.ts", "src/a.ts"]],
  ["cp -r vendor/src .", ["src/a.ts"]],
  ["cd vendor && cp -r src ..", ["../src/a.ts"]],
  ["cp -r vendor/src-old gen/* src", ["src/a.ts"]],
  ["rsync -a vendor/src-old/ src", ALL],
  ["rsync -a vendor/src-old/ src/", ALL],
  ["rsync -a vendor/src-old .", ["src-old/a.ts"]],
  ["rsync -a --exclude=.env --exclude '/sub/' vendor/src-old/ src", ["src/a.ts"]],
  ["rsync -a --existing vendor/src/ src", ["src/a.ts"]],
  ["mv -f gen/* src/", ["src/a.ts"]],
  ["mv gen/*.ts src", ["src/a.ts"]],
  ['for f in gen/*; do cp "$f" src/; done', ["src/a.ts"]],
])("files that would be replaced: %s", async (line, files) => {
  expect([...(await lost(line))].sort()).toEqual([...files].sort());
});

test.each([
  ...["cp -rn vendor/src-old/. src/", "cp -r --no-clobber vendor/src-old/. src/", "cp -ru vendor/src-old/. src/"],
  ...["cp -rb vendor/src-old/. src/", "cp -r --backup=numbered vendor/src-old/. src/", "mv -n gen/* src/"],
  ...["rsync -a --ignore-existing vendor/src-old/ src", "rsync -au vendor/src-old/ src"],
  ...["rsync -ab vendor/src-old/ src", "rsync -a --backup vendor/src-old/ src", "rsync -an vendor/src-old/ src"],
  ...["rsync -a --include '*.md' --exclude '*' vendor/src-old/ src", "rsync -a host:vendor/src-old/ src"],
  // The target is a folder with the source's name, which does not exist.
  ...["cp -r vendor/src-old src", "rsync -a vendor/src-old src", "cp -r vendor/src-old elsewhere"],
  ...["cp -r nowhere/. src/", "cp -r nowhere/* src/", "cp -r fresh/. src/", "cp gen/*.md src/", "mv vendor/* src"],
  ...["cp -r vendor/src-old/. dist/", "cp -r src/. src", "cp vendor/src-old src", "cp -r --parents vendor/src-old src"],
  "cp -r src src.bak && cp -r vendor/src-old/. src/",
])("nothing would be replaced: %s", async (line) => expect(await lost(line)).toEqual([]));

test("a folder that this session made is its own", async () => {
  expect(await lost("cp -r vendor/src-old/. src/", FILES, `${APP}/src`)).toEqual([]);
});

test("more files than anyone looks at are one question", async () => {
  const many = Array.from({ length: 1100 }, (_, at) => [`${APP}/src/${at}.ts`, `${APP}/old/${at}.ts`]).flat();
  expect(await lost("cp -r old/. src", many)).toEqual(["src"]);
});
