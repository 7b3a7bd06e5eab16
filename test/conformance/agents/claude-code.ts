import { join } from "node:path";
import { CLAUDE_CODE } from "../../../src/agents/claude-code/declaration.ts";
import { clientEnvironment, NO_PERMISSION_CHECKS } from "../../e2e/client.ts";
import type { AgentDriver } from "../driver.ts";

const driver: AgentDriver = {
  declaration: CLAUDE_CODE,
  packages: [`${CLAUDE_CODE.package}@${CLAUDE_CODE.version}`],
  program: (clientFolder) => [
    join(clientFolder, "node_modules", `${CLAUDE_CODE.package}-${process.platform}-${process.arch}`, "claude"),
  ],
  // Everything that it needs is in its environment.
  prepare: () => undefined,
  run({ modelUrl }, prompt) {
    const { args, env } = NO_PERMISSION_CHECKS;
    return {
      args: ["-p", prompt, "--model", "claude-sonnet-4-5", ...args],
      env: { ...clientEnvironment(modelUrl), ...env },
    };
  },
  shell: (command) => ({ tool: "Bash", input: { command } }),
  write: (file, content) => ({ tool: "Write", input: { file_path: file, content } }),
  installed: ({ scratch }) => [scratch.userSettings],
};

export default driver;
