import { describe, expect, test } from "vitest";
import type { FileInfo } from "../../core/ports.ts";
import { effectsOf } from "../../shell/effects/effects.ts";
import { readShell } from "../../shell/shell.ts";
import { lossOf } from "./judge.ts";
import { lineWitness } from "./kept-by-line.ts";

const CWD = "/home/u/app";
const HOME = "/home/u";

/** Folders that the build tools of many ecosystems make, and make again. */
const MADE_AGAIN = `.build TestResults BenchmarkDotNet.Artifacts .zig-cache zig-cache zig-out dist-newstyle .stack-work
  cmake-build-minsizerel cmake-build-debug CMakeFiles _build .dart_tool .gradle .kotlin .cxx .bloop .metals .cpcache
  .shadow-cljs .nyc_output htmlcov .tox .nox .mypy_cache .ruff_cache .pytype .turbo .parcel-cache .svelte-kit .nuxt .nitro
  .vinxi .astro .angular .expo .swc .rollup.cache .sass-cache .terraform .terragrunt-cache Pods Carthage/Build
  DerivedData elm-stuff .spago .eggs __pycache__ __pypackages__ nimcache .dub blib lua_modules vendor/bundle
  renv/library buck-out bazel-bin bazel-testlogs .jekyll-cache _site allure-results .phpunit.cache .elixir_ls
  .pnpm-store jspm_packages obj`.split(/\s+/);

/** May hold what somebody wrote. */
const HAND_WRITTEN =
  "bin vendor deps lib packages src docs public site artifacts cache results .vscode .idea .wrangler .vercel terraform.tfstate.d cmake-build build-tools .builder".split(
    " ",
  );

const KEPT = [
  ...MADE_AGAIN.flatMap((name) => [
    `rm -rf ${name}`,
    `rm -rf packages/a/${name}`,
    `pwsh -c 'Remove-Item -Recurse -Force ${name}'`,
    `cmd /c "rmdir /s /q ${name.replaceAll("/", "\\")}"`,
  ]),
  "Remove-Item -Recurse -Force .build",
  "Remove-Item -Recurse -Force obj, .build",
  "pwsh -c 'Remove-Item -Recurse -Force .\\web\\obj'",
  "rd /s /q TestResults",
  // Temporary folders of Windows
  'cmd /c "rmdir /s /q %TEMP%\\hw-test"',
  'cmd /c "rd /s /q %tmp%/hw-test"',
  'cmd /c "del /q %LOCALAPPDATA%\\Temp\\hw.log"',
  "pwsh -c 'Remove-Item -Recurse $env:TEMP\\hw-test'",
  "pwsh -c 'Remove-Item -Recurse -Force \"$env:TMP/hw-test\"'",
  "pwsh -c 'Remove-Item -Recurse $" + "{env:TEMP}/hw-test'",
  "pwsh -c 'Remove-Item -Recurse \"$([System.IO.Path]::GetTempPath())hw-test\"'",
  "pwsh -c '$t = [System.IO.Path]::GetTempPath(); Remove-Item -Recurse \"$t/hw-test\"'",
  "Remove-Item -Recurse -Force $env:TEMP/hw-test",
  "rm -rf ~/AppData/Local/Temp/hw-test",
  "powershell -c 'Remove-Item -Recurse C:\\Users\\dev\\AppData\\Local\\Temp\\hw-test'",
  // A build folder under another name
  "mv dist dist.old && npm run build && rm -rf dist.old",
  "mv dist/ dist-before; npm run build; rm -rf ./dist-before",
  "mv web/node_modules /home/u/app/nm && rm -rf nm",
];

const LOST = [
  ...HAND_WRITTEN.flatMap((name) => [
    `rm -rf ${name}`,
    `pwsh -c 'Remove-Item -Recurse ${name}'`,
    `cmd /c "rmdir /s /q ${name}"`,
  ]),
  'cmd /c "rmdir /s /q %TEMP%"',
  'cmd /c "rmdir /s /q %TEMP%\\..\\src"',
  'cmd /c "rmdir /s /q %TEMP%\\*"',
  'cmd /c "rmdir /s /q %APPDATA%\\x"',
  'cmd /c "rmdir /s /q D:\\work\\dist-newstyle\\..\\src"',
  'cmd /c "rmdir /s /q D:\\work\\obj"',
  "pwsh -c 'Remove-Item -Recurse $env:TEMP'",
  "pwsh -c 'Remove-Item -Recurse $env:TEMP\\..\\src'",
  "pwsh -c 'Remove-Item -Recurse $env:TEMPLATES\\x'",
  "pwsh -c 'Remove-Item -Recurse $env:APPDATA\\x'",
  'pwsh -c \'$t = [IO.Path]::GetTempPath(); $t = "src"; Remove-Item -Recurse "$t/a"\'',
  "pwsh -c '$t = $env:TEMP; foreach ($t in $list) { Remove-Item -Recurse \"$t/a\" }'",
  "rm -rf ~/AppData/Local/Temp",
  "rm -rf ~/AppData/Local/app",
  "mv src src.old && rm -rf src.old",
  "mv dist old && rm -rf old",
  "mv dist new && mv src new && rm -rf new",
  "mv dist new; cp -r src new/src; mv src/a new/a; rm -rf new",
  "rm -rf dist.old && mv dist dist.old",
  "mv dist dist.old || rm -rf src",
  "mkdir new && mv src new && rm -rf new",
];

describe("cleaning up", () => {
  test.each(KEPT)("loses nothing: %s", (line) => expect(losses(line)).toEqual([]));
  test.each(LOST)("loses something: %s", (line) => expect(losses(line)).not.toEqual([]));
});

describe("a folder beside the file of the project that makes it", () => {
  test.each([
    ["bin", "Web.csproj"],
    ["bin", "Core.fsproj"],
    ["deps", "mix.exs"],
    ["vendor", "composer.json"],
  ])("%s beside %s is made again", (name, file) => {
    expect(losses(`rm -rf ${name}`, [file, name])).toEqual([]);
    expect(losses(`pwsh -c 'Remove-Item -Recurse ${name}'`, [file, name])).toEqual([]);
    expect(losses(`rm -rf sub/${name}`, [file, name])).not.toEqual([]);
    expect(losses(`rm -rf ${name}`, ["package.json", name])).not.toEqual([]);
  });
});

/** What a line would lose where `old` stands, the project holds these files, and git knows nothing. */
function losses(line: string, files: readonly string[] = []): string[] {
  const shell = readShell(line, { cwd: CWD, variables: { HOME, PWD: CWD } });
  const grounds = { cwd: CWD, project: CWD, userHome: HOME, tempDir: "/tmp", folders: [] };
  const standing = new Set([`${CWD}/old`, `${CWD}/src`, `${CWD}/dist`]);
  const folder: FileInfo = { kind: "directory", uid: 1, mode: 0o755 };
  return effectsOf(shell, { cwd: CWD, userHome: HOME }).flatMap((effect) => {
    const loss = lossOf(effect, grounds, {
      list: (path) => (path === CWD ? files : undefined),
      info: (path) => (standing.has(path) ? folder : undefined),
      git: async () => ({ code: 128, stdout: "" }),
      isOurs: () => false,
      inText: () => undefined,
      ...lineWitness(shell, CWD),
    });
    return loss === "none" ? [] : [`${effect.kind} ${effect.path ?? effect.target}`];
  });
}
