import { join } from "node:path";
import { COPILOT_CLI } from "../../../src/agents/copilot-cli/declaration.ts";
import type { AgentDriver } from "../driver.ts";

const driver: AgentDriver = {
  declaration: COPILOT_CLI,
  packages: [`${COPILOT_CLI.package}@${COPILOT_CLI.version}`],
  program: (clientFolder) => [join(clientFolder, "node_modules/.bin/copilot")],
  prepare() {
    // Everything is in its environment.
  },
  run({ modelUrl }, prompt) {
    return {
      args: ["--allow-all-tools", "--allow-all-paths", "--no-auto-update", "-p", prompt],
      env: {
        COPILOT_OFFLINE: "true",
        COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
        COPILOT_PROVIDER_API_KEY: "x",
        COPILOT_PROVIDER_WIRE_API: "completions",
        COPILOT_MODEL: "gpt-5.2",
        COPILOT_AUTO_UPDATE: "false",
        COPILOT_ALLOW_ALL: "true",
      },
    };
  },
  shell: (command) => ({ tool: "bash", input: { command, description: "work" } }),
  write: (path, file_text) => ({ tool: "create", input: { path, file_text } }),
  installed: ({ scratch }) => [join(scratch.home, ".copilot", "hooks")],
};

export default driver;
