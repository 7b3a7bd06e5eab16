import { describe, expect, test } from "vitest";
import type { FileInfo } from "../../core/ports.ts";
import { effectsOf } from "../../effects/effects.ts";
import { withPowerShell } from "../../effects/languages/powershell/commands.ts";
import { readShell } from "../../shell/shell.ts";
import { lossOf } from "./effect-loss.ts";
import { lineProbes } from "./line/line-probes.ts";

const CWD = "/home/u/app";
const HOME = "/home/u";

/** Folders that build tools of many ecosystems create again. */
const MADE_AGAIN = `.build TestResults BenchmarkDotNet.Artifacts .zig-cache zig-cache zig-out dist-newstyle .stack-work
  cmake-build-minsizerel cmake-build-debug CMakeFiles _build .dart_tool .gradle .kotlin .cxx .bloop .metals .cpcache
  .shadow-cljs .nyc_output htmlcov .tox .nox .mypy_cache .ruff_cache .pytype .turbo .parcel-cache .svelte-kit .nuxt .nitro
  .vinxi .astro .angular .expo .swc .rollup.cache .sass-cache .terraform .terragrunt-cache Pods Carthage/Build
  DerivedData elm-stuff .spago .eggs __pycache__ __pypackages__ nimcache .dub blib lua_modules vendor/bundle
  renv/library buck-out bazel-bin bazel-testlogs .jekyll-cache _site allure-results .phpunit.cache .elixir_ls
  .pnpm-store jspm_packages obj`.split(/\s+/);

/** Folders that may contain a person's own work. */
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
  "pwsh -c '$t = New-TemporaryFile; Set-Content $t x; Remove-Item $t'",
  "pwsh -c '$t = New-TemporaryFile; try { npm test > $t } finally { Remove-Item $t.FullName -Force }'",
  "pwsh -c '$t = [IO.Path]::GetTempFileName(); Remove-Item $t'",
  "pwsh -c '$tmp = Join-Path $env:TEMP ([guid]::NewGuid()); New-Item -ItemType Directory $tmp; npm test; Remove-Item $tmp -Recurse -Force'",
  "pwsh -c '$d = Join-Path ([System.IO.Path]::GetTempPath()) ([System.Guid]::NewGuid().ToString()); Remove-Item $d -Recurse'",
  "pwsh -c '$d = Join-Path $env:TEMP \"hw-$(Get-Random)\"; $f = New-TemporaryFile; Remove-Item $d, $f -Recurse'",
  "pwsh -c '$d = New-Item -ItemType Directory -Path (Join-Path $env:TEMP hw-test); Remove-Item $d -Recurse'",
  'pwsh -c \'$d = "$env:TEMP\\hw-test"; Remove-Item "$d\\a" -Recurse\'',
  "rm -rf ~/AppData/Local/Temp/hw-test",
  "powershell -c 'Remove-Item -Recurse C:\\Users\\dev\\AppData\\Local\\Temp\\hw-test'",
  // Names that a script gets for a temporary file
  "python3 -c 'import tempfile,os; fd, path = tempfile.mkstemp(); os.close(fd); os.remove(path)'",
  "python3 -c 'import tempfile,os; fd, path = tempfile.mkstemp(suffix=\".db\"); os.unlink(path)'",
  "python3 -c 'import tempfile,os; (fd, p) = tempfile.mkstemp(); os.unlink(p)'",
  "python3 -c 'from tempfile import mkstemp; import os; _, p = mkstemp(); os.remove(p)'",
  "python3 -c 'import tempfile,os; p = tempfile.mkstemp()[1]; os.remove(p)'",
  "python3 -c 'import tempfile,shutil; d = tempfile.mkdtemp(); shutil.rmtree(d)'",
  "python3 -c 'import tempfile,shutil; d = tempfile.mkdtemp(prefix=\"x\"); shutil.rmtree(d, ignore_errors=True)'",
  "python3 -c 'import tempfile,os; f = tempfile.NamedTemporaryFile(delete=False); f.close(); os.unlink(f.name)'",
  "python3 -c 'import tempfile,os,pathlib\nwith tempfile.NamedTemporaryFile(delete=False) as f:\n  pass\nos.unlink(f.name)'",
  "python3 -c 'import tempfile,pathlib; d = pathlib.Path(tempfile.mkdtemp()); (d / \"a\").unlink()'",
  "python3 - <<'E'\nimport os, tempfile\nfd, tmp = tempfile.mkstemp()\ntry:\n    os.write(fd, b\"x\")\nfinally:\n    os.close(fd)\n    os.remove(tmp)\nE",
  'node -e \'const fs=require("fs"),os=require("os"),path=require("path"); const d=fs.mkdtempSync(path.join(os.tmpdir(),"x-")); fs.rmSync(d,{recursive:true,force:true})\'',
  'node -e \'const {mkdtempSync,rmSync}=require("fs"); const {tmpdir}=require("os"); const d=mkdtempSync(tmpdir()+"/x-"); rmSync(d,{recursive:true})\'',
  'node --input-type=module -e \'import fs from "node:fs/promises"; const d = await fs.mkdtemp("/tmp/x-"); await fs.rm(d, {recursive: true})\'',
  "ruby -rtempfile -e 't = Tempfile.new(\"x\"); t.close; File.delete(t.path)'",
  "ruby -rtempfile -e 't = Tempfile.create(\"x\"); File.unlink(t.path)'",
  "ruby -rtmpdir -rfileutils -e 'd = Dir.mktmpdir; FileUtils.rm_rf(d)'",
  // A build folder under another name
  "mv dist dist.old && npm run build && rm -rf dist.old",
  "mv dist/ dist-before; npm run build; rm -rf ./dist-before",
  "mv web/node_modules /home/u/app/nm && rm -rf nm",
  "pwsh -c 'Rename-Item dist dist-prev; npm run build; Remove-Item dist-prev -Recurse -Force'",
  "pwsh -c 'Move-Item dist dist-prev; npm run build; Remove-Item ./dist-prev -Recurse'",
  // A search for build output only
  "pwsh -c 'Get-ChildItem -Include bin,obj -Recurse -Directory | Remove-Item -Recurse -Force; dotnet build'",
  "pwsh -c 'dotnet clean; gci -Recurse -Directory -Include bin, obj | ri -Recurse'",
  "pwsh -c 'Get-ChildItem . -Recurse -Directory -Filter node_modules | Remove-Item -Recurse -Force'",
  "pwsh -c 'Get-ChildItem src -Recurse -Include __pycache__,*.pyc | Remove-Item -Recurse -Force'",
  "rm -rf bin obj && dotnet build",
  "dotnet clean; rm -rf bin obj",
  "rm -rf src/App/bin && dotnet build src/App/App.csproj",
  "find . -type d \\( -name bin -o -name obj \\) -prune -exec rm -rf {} + && dotnet test",
  // A folder that a command of the same line uses as its build folder
  'for s in address thread; do cmake -S . -B "build-$s" && cmake --build "build-$s" | tail -1; rm -rf "build-$s"; done',
  "rm -rf build_asan && cmake -Bbuild_asan && cmake --build build_asan",
  "rm -rf build-release; meson setup build-release && ninja -C build-release",
  "cmake -S . -B trial && cmake --build trial; rm -rf trial",
  "meson setup trial && meson compile -C trial && rm -rf trial",
  // A package that the same line creates
  "gem build my_gem.gemspec && gem install --local my_gem-0.1.0.gem; rm -f my_gem-*.gem",
  "npm pack && tar tf app-*.tgz && rm app-*.tgz",
  "npm pack; rm app-1.2.0.tgz",
  "vsce package && code --install-extension app-0.1.0.vsix && rm app-0.1.0.vsix",
  // The folder that the same line fills again
  "rm -rf vendor && composer install",
  "rm -rf vendor composer.lock; composer update --no-dev",
  "rm -rf _build deps && mix deps.get",
  "rm -rf vendor && bundle install --path vendor",
  "rm -rf vendor && go mod tidy && go mod vendor",
  "cd api && rm -rf vendor && composer install",
  "rm -rf Carthage && carthage update",
  "rm -rf libs && pip install -r requirements.txt -t libs",
  "pwsh -c 'Remove-Item vendor -Recurse -Force; composer install'",
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
  "pwsh -c '$t = New-TemporaryFile; $t = \"src\"; Remove-Item $t -Recurse'",
  "pwsh -c '$t = New-TemporaryFile; Remove-Item $u -Recurse'",
  "pwsh -c '$t = New-TemporaryFile; foreach ($t in $list) { Remove-Item $t }'",
  "pwsh -c '$t = New-TemporaryFile; Get-Item src -OutVariable t; Remove-Item $t -Recurse'",
  "pwsh -c '$t = New-TemporaryFile; $t, $u = Get-Item src, lib; Remove-Item $t -Recurse'",
  "pwsh -c '$t = Join-Path $env:TEMP ..; Remove-Item $t -Recurse'",
  "pwsh -c '$t = Join-Path $env:TEMP $name; Remove-Item $t -Recurse'",
  "pwsh -c '$t = Join-Path . ([guid]::NewGuid()); Remove-Item src -Recurse'",
  "pwsh -c '$d = \"$env:TEMP\\..\\src\"; Remove-Item $d -Recurse'",
  "rm -rf ~/AppData/Local/Temp",
  "rm -rf ~/AppData/Local/app",
  'python3 -c \'import tempfile,os; fd, path = tempfile.mkstemp(dir="src"); os.remove("src/a")\'',
  "python3 -c 'import tempfile,os; fd, path = tempfile.mkstemp(); path = \"src/a\"; os.remove(path)'",
  "python3 -c 'import tempfile,os; fd, path = tempfile.mkstemp(); os.remove(other)'",
  "python3 -c 'import tempfile,shutil; d = tempfile.gettempdir(); shutil.rmtree(d)'",
  "python3 -c 'import tempfile,os; fd, path = find(), \"src/a\"; os.remove(path)'",
  "python3 -c 'import tempfile,os; f = open(\"src/a\"); os.unlink(f.name)'",
  'node -e \'const fs=require("fs"); const d=fs.mkdtempSync("/tmp/x"); fs.rmSync("src",{recursive:true})\'',
  'ruby -rtempfile -e \'t = Tempfile.new("x"); File.delete("src/a")\'',
  "mv src src.old && rm -rf src.old",
  "mv dist old && rm -rf old",
  "mv dist new && mv src new && rm -rf new",
  "mv dist new; cp -r src new/src; mv src/a new/a; rm -rf new",
  "rm -rf dist.old && mv dist dist.old",
  "mv dist dist.old || rm -rf src",
  "mkdir new && mv src new && rm -rf new",
  "pwsh -c 'Rename-Item src src-prev; Remove-Item src-prev -Recurse -Force'",
  "pwsh -c 'Rename-Item dist old; Remove-Item old -Recurse -Force'",
  "pwsh -c 'Remove-Item dist-prev -Recurse; Rename-Item dist dist-prev'",
  "pwsh -c 'Get-ChildItem -Include bin,obj -Recurse -Directory | Remove-Item -Recurse -Force'",
  "pwsh -c 'Get-ChildItem -Include src,obj -Recurse -Directory | Remove-Item -Recurse; dotnet build'",
  "pwsh -c 'Get-ChildItem -Include * -Recurse | Remove-Item -Recurse -Force; dotnet build'",
  "pwsh -c 'Get-ChildItem -Exclude bin,obj -Recurse | Remove-Item -Recurse; dotnet build'",
  "pwsh -c 'Get-ChildItem -Recurse | Remove-Item -Recurse; dotnet build'",
  "pwsh -c 'Get-ChildItem $x -Include bin -Recurse | Remove-Item -Recurse; dotnet build'",
  "rm -rf bin && dotnet --info",
  "rm -rf bin && dotnet build other/App.csproj",
  "rm -rf build-tools && cmake -B build",
  "cmake -B old && rm -rf old",
  "rm -rf trial && cmake -B trial",
  "cmake -B build-x; rm -rf build-y",
  "echo cmake -B build-x; rm -rf build-x",
  "rm -f my_gem-*.gem && gem build my_gem.gemspec",
  "gem build my_gem.gemspec; rm -f *",
  "gem build my_gem.gemspec; rm -f app-*.tgz",
  "npm pack; rm *.tgz",
  "rm -rf src && composer install",
  "rm -rf vendor || composer install",
  "rm -rf vendor && composer dump-autoload",
  "rm -rf vendor && composer install --dry-run",
  "rm -rf vendor && composer install -d api",
  "rm -rf vendor && cd api && composer install",
  "composer install && rm -rf vendor",
  "rm -rf vendor && echo composer install",
  "rm -rf vendor && bundle install --path gems",
  "rm -rf vendor && (exit 0; composer install)",
  "rm -rf vendor deps && go mod vendor",
  "rm -rf vendor/mine && composer install",
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

test("all folders called bin below a project of .NET are made again", () => {
  const line = "pwsh -c 'Get-ChildItem -Include bin,obj -Recurse -Directory | Remove-Item -Recurse -Force'";
  expect(losses(line, ["App.sln", "src"])).toEqual([]);
  expect(losses("find . -name bin -type d | xargs rm -rf", ["App.csproj"])).toEqual([]);
  expect(losses(line, ["package.json", "src"])).not.toEqual([]);
});

/** The losses of a line in a project with these files, where `old` exists and git knows no file. */
function losses(line: string, files: readonly string[] = []): string[] {
  const shell = withPowerShell(readShell(line, { cwd: CWD, variables: { HOME, PWD: CWD } }), CWD, HOME);
  const context = { cwd: CWD, project: CWD, userHome: HOME, tempDir: "/tmp", folders: [] };
  const standing = new Set([`${CWD}/old`, `${CWD}/src`, `${CWD}/dist`]);
  const folder: FileInfo = { kind: "directory", uid: 1, mode: 0o755 };
  return effectsOf(shell, { cwd: CWD, userHome: HOME }).flatMap((effect) => {
    const loss = lossOf(effect, context, {
      list: (path) => (path === CWD ? files : undefined),
      info: (path) => (standing.has(path) ? folder : undefined),
      git: async () => ({ code: 128, stdout: "" }),
      isCreatedBySession: () => false,
      inText: () => undefined,
      ...lineProbes(shell, CWD),
    });
    return loss === "none" ? [] : [`${effect.kind} ${effect.path ?? effect.target}`];
  });
}
