import { join } from "node:path";
import { GEMINI_CLI } from "../../../src/agents/gemini-cli/declaration.ts";
import type { AgentDriver } from "../driver.ts";

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
};

const driver: AgentDriver = {
  declaration: GEMINI_CLI,
  packages: [`${GEMINI_CLI.package}@${GEMINI_CLI.version}`],
  program: (clientFolder) => [join(clientFolder, "node_modules/.bin/gemini")],
  prepare({ scratch }) {
    scratch.write(join(scratch.home, ".gemini", "settings.json"), JSON.stringify(SETTINGS));
  },
  run({ modelUrl }, prompt) {
    return {
      args: ["--yolo", "--skip-trust", "-m", "gemini-2.5-flash", "-p", prompt],
      env: { GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_CLI_NO_RELAUNCH: "true" },
    };
  },
  shell: (command) => ({ tool: "run_shell_command", input: { command, description: "A step." } }),
  write: (file, content) => ({ tool: "write_file", input: { file_path: file, content } }),
  installed: ({ scratch }) => [join(scratch.home, ".gemini", "extensions")],
};

export default driver;
