// Builds dist/: what clients, daemon and command line run. `prepare.mjs` calls it, so that `npm ci` builds a checkout.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeLaunchers } from "./build/launchers.mjs";
import { lazyModules } from "./build/lazy-modules.mjs";
import { writeLicences } from "./build/licences.mjs";
import { buildPages } from "./build/pages.mjs";
import { buildPlugins } from "./build/plugin.mjs";
import { writeTypes } from "./build/types.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, "dist");
const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));

/** The environment variables that every client may send. Policies add the names they declare. Tokens are excluded. */
const ENVIRONMENT = [
  "PATH",
  "HOME",
  "TMUX*",
  "XDG_*",
  "CLAUDE_*",
  "CLAUDECODE",
  "COPILOT_CLI",
  "COPILOT_HOME",
  "HOOKWRIGHT_*",
  "TMPDIR",
  "LANG",
  "DISABLE_OMC",
  "OMC_SKIP_HOOKS",
  "PI_CODING_AGENT_DIR",
  "!CLAUDE_CODE_MESSAGING_TOKEN",
  "!CLAUDE_CODE_OAUTH_TOKEN",
];

/** What agents load that take plugins instead of commands. */
const PLUGINS = ["shim.cjs", "opencode.cjs", "pi.cjs"];

/** Bundled CommonJS modules call `require`, which an ES module does not have. */
const REQUIRE = 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);';

const shared = {
  bundle: true,
  platform: "node",
  target: "node20",
  logLevel: "error",
  legalComments: "none",
  metafile: true,
  absWorkingDir: root,
};
/** Without this plugin esbuild copies every property of a built-in module at start-up: 1 ms for a cold hook. */
const builtins = {
  name: "builtins",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path: name }) => ({
      path: name,
      namespace: "builtin",
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path: name }) => ({
      contents: `const it = process.getBuiltinModule("${name}"); export default it; export const { createRequire, posix } = it;`,
    }));
  },
};
const commonjs = {
  ...shared,
  format: "cjs",
  external: ["libsql", "./config.cjs", "./patterns.cjs", "./toml.cjs", "./modes-text.cjs"],
  define: { "import.meta.url": "undefined" },
  // Policies are loaded by import(), which must not remain a native import inside one file.
  supported: { "dynamic-import": false },
};

fs.rmSync(dist, { recursive: true, force: true });
fs.mkdirSync(dist, { mode: 0o755 });
const results = await Promise.all([
  build({
    ...commonjs,
    plugins: [builtins, lazyModules],
    // The file is one function, so that the client can pass it to V8 without copying it into a wrapper.
    banner: { js: '(function (exports, require, module, __filename, __dirname) { "use strict";' },
    footer: { js: "})" },
    minify: true, // also names: V8 reads a code cache with fewer different names faster
    entryPoints: ["./src/engine/cold.ts"],
    outfile: "dist/engine.cjs",
  }),
  build({ ...commonjs, entryPoints: ["src/daemon/main.ts"], outfile: "dist/daemon.cjs" }),
  build({ ...commonjs, entryPoints: ["src/fleet/link/main.ts"], outfile: "dist/fleet-link.cjs" }),
  build({ ...commonjs, entryPoints: ["src/config/compile.ts"], outfile: "dist/config.cjs" }),
  build({ ...commonjs, entryPoints: ["src/config/patterns.ts"], outfile: "dist/patterns.cjs" }),
  build({ ...commonjs, entryPoints: ["src/config/toml.ts"], outfile: "dist/toml.cjs" }),
  build({ ...commonjs, entryPoints: ["src/engine/project-policies/worker.ts"], outfile: "dist/outside-worker.cjs" }),
  build({ ...commonjs, entryPoints: ["src/cli/commands/run/watchdog.ts"], outfile: "dist/watchdog.cjs" }),
  build({
    ...commonjs,
    plugins: [builtins],
    minify: true,
    entryPoints: ["src/cli/commands/statusline/main.ts"],
    outfile: "dist/statusline.cjs",
  }),
  build({
    ...commonjs,
    plugins: [builtins],
    minify: true,
    entryPoints: ["src/cli/commands/statusline/modes-text.ts"],
    outfile: "dist/modes-text.cjs",
  }),
  build({
    ...shared,
    format: "esm",
    entryPoints: ["src/cli/main.ts"],
    outfile: "dist/cli.mjs",
    external: ["libsql", "./config.cjs", "./patterns.cjs", "./toml.cjs"],
    banner: { js: REQUIRE },
  }),
  build({
    ...shared,
    format: "esm",
    minify: true,
    entryPoints: ["src/cli/commands/mcp/library.ts"],
    outfile: "dist/mcp-library.mjs",
    banner: { js: REQUIRE },
  }),
  // What authors of policies import, with its types.
  build({
    ...shared,
    format: "esm",
    entryPoints: { index: "src/index.ts", testing: "src/testing/index.ts" },
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    external: ["libsql", "./config.cjs", "./toml.cjs", "vitest"],
    banner: { js: REQUIRE },
  }),
  buildPages(root, dist),
]);
writeLicences(root, path.join(dist, "third-party-licences.txt"), results);
writeTypes(root, dist);
writeLaunchers(root, dist);
// The client reads the file as Latin-1. esbuild escapes other characters, except in regular expressions.
const enginePath = path.join(dist, "engine.cjs");
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
fs.writeFileSync(enginePath, fs.readFileSync(enginePath, "utf8").replace(/[^\0-\x7f]/g, escaped));

const require = createRequire(import.meta.url);
const hash = createHash("sha256").update(version);
for (const file of [
  "dist/engine.cjs",
  "dist/daemon.cjs",
  "dist/fleet-link.cjs",
  "dist/config.cjs",
  "dist/patterns.cjs",
  "dist/toml.cjs",
  "dist/outside-worker.cjs",
  "dist/cli.mjs",
  "dist/hookwright.mjs",
  "dist/engine.mjs",
  "dist/engine",
  "client/hook.c",
  "client/cold.h",
  "client/event-name.h",
  "client/person.h",
  "client/turns.h",
  "client/hook.cjs",
  ...PLUGINS.map((name) => `client/${name}`),
]) {
  hash.update(fs.readFileSync(path.join(root, file)));
}
const id = hash.digest("hex").slice(0, 12);
fs.writeFileSync(path.join(dist, "build.json"), `${JSON.stringify({ version, build: id })}\n`);
const client = fs.readFileSync(path.join(root, "client/hook.cjs"), "utf8");
fs.writeFileSync(path.join(dist, "hook.cjs"), client.replace("__HW_BUILD__", id));
for (const name of PLUGINS) fs.copyFileSync(path.join(root, "client", name), path.join(dist, name));

const declared = fs
  .readFileSync(path.join(root, "src/policies/index.gen.ts"), "utf8")
  .matchAll(/^ {4}env: (\[.*\]),$/gm);
const names = new Set([...ENVIRONMENT, ...[...declared].flatMap((match) => JSON.parse(match[1]))]);
fs.writeFileSync(path.join(dist, "env.list"), `${[...names].join("\n")}\n`);
fs.writeFileSync(path.join(dist, "node.path"), `${process.execPath}\n`);

compileClient();
makeCodeCache();
buildPlugins(root, dist);

/** Without a compiler hooks use the Node client; `hookwright doctor` shows which client is in use. */
function compileClient() {
  const source = path.join(root, "client/hook.c");
  const output = path.join(dist, "hook");
  for (const compiler of ["cc", "gcc", "clang"]) {
    for (const link of [["-static"], []]) {
      const flags = ["-O2", "-std=gnu11", ...link, `-DHW_BUILD="${id}"`, "-o", output, source];
      const made = spawnSync(compiler, flags, { stdio: "ignore" });
      if (made.status === 0) return;
    }
  }
  console.log("No C compiler found: hooks will use the Node client, which is slower.");
}

/** Runs one event, so that the first cold start after a build finds its code cache. */
function makeCodeCache() {
  const { loadEngine } = require(path.join(dist, "hook.cjs"));
  if (typeof loadEngine === "function") {
    spawnSync(process.execPath, [path.join(dist, "hook.cjs"), "--no-daemon", "--event", "PreToolUse"], {
      input: JSON.stringify({
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "true" },
        tool_use_id: "build",
      }),
      env: { ...process.env, HOOKWRIGHT_HOME: path.join(dist, ".warm-up") },
    });
    fs.rmSync(path.join(dist, ".warm-up"), { recursive: true, force: true });
  }
}
