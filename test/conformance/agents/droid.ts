import { join } from "node:path";
import { DROID } from "../../../src/agents/droid/declaration.ts";
import type { AgentDriver } from "../driver.ts";

const MODEL = "scripted-model";

const driver: AgentDriver = {
  declaration: DROID,
  packages: [`${DROID.package}@${DROID.version}`],
  program: (clientFolder) => [join(clientFolder, "node_modules/.bin/droid")],
  prepare({ scratch, modelUrl }) {
    const model = {
      model: MODEL,
      displayName: "scripted",
      baseUrl: `${modelUrl}/v1`,
      apiKey: "x",
      provider: "generic-chat-completion-api",
      maxOutputTokens: 4_096,
    };
    const settings = JSON.stringify({ customModels: [model] }, undefined, 2);
    scratch.write(join(scratch.home, ".factory", "settings.json"), settings);
  },
  run: (_world, prompt) => ({ args: ["exec", "--skip-permissions-unsafe", "-m", `custom:${MODEL}`, prompt] }),
  shell: (command) => ({ tool: "Execute", input: { command, summary: "work" } }),
  write: (file_path, content) => ({ tool: "Create", input: { file_path, content } }),
  installed: ({ scratch }) => [join(scratch.home, ".factory", "settings.json")],
};

export default driver;
