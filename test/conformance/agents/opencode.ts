import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OPENCODE } from "../../../src/agents/opencode/declaration.ts";
import type { AgentDriver, World } from "../driver.ts";
import { breakPlugin } from "../plugin-faults.ts";

const PLUGIN_PACKAGE = "@opencode-ai/plugin";

const config = ({ modelUrl }: World): object => ({
  // opencode adds this line itself where it is missing.
  $schema: "https://opencode.ai/config.json",
  model: "scripted/scripted-model",
  small_model: "scripted/scripted-model",
  enabled_providers: ["scripted"],
  autoupdate: false,
  share: "disabled",
  permission: { "*": "allow" },
  provider: {
    scripted: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${modelUrl}/v1`, apiKey: "x" },
      models: { "scripted-model": { name: "scripted", limit: { context: 100_000, output: 4_000 } } },
    },
  },
});

const folderOf = ({ scratch }: World): string => join(scratch.home, ".config", "opencode");

const driver: AgentDriver = {
  declaration: OPENCODE,
  // Its npm program is a script that looks for the one of the platform, which is a package of its own.
  packages: [`${OPENCODE.package}@${OPENCODE.version}`, `${PLUGIN_PACKAGE}@${OPENCODE.version}`],
  program: (clientFolder) => [
    join(clientFolder, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`),
  ],
  prepare(world) {
    const folder = folderOf(world);
    world.scratch.write(join(folder, "opencode.json"), JSON.stringify(config(world)));
    // Without this package, also in the lock file, it tries to install it before anything else, and waits for a network.
    const dependencies = { [PLUGIN_PACKAGE]: OPENCODE.version };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies }));
    const lock = { lockfileVersion: 3, packages: { "": { dependencies } } };
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    symlinkSync(join(world.clientFolder, "node_modules"), join(folder, "node_modules"));
  },
  run: (_world, prompt) => ({
    args: ["run", prompt],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
  }),
  shell: (command) => ({ tool: "bash", input: { command, description: "Runs a command" } }),
  write: (file, text) => ({ tool: "write", input: { filePath: file, content: text } }),
  installed: (world) => [join(folderOf(world), "plugins"), join(folderOf(world), "opencode.json")],
  breakHook: breakPlugin,
};

export default driver;
