import { join } from "node:path";
import { CODEX } from "../../../src/agents/codex/declaration.ts";
import type { AgentDriver } from "../driver.ts";
import { patchOf } from "../patch-of.ts";

const CONFIG = (modelUrl: string, project: string): string => `features = { plugins = false, apps = false }
analytics = { enabled = false }
model = "gpt-5.5"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."${project}"]
trust_level = "trusted"
`;

const driver: AgentDriver = {
  declaration: CODEX,
  packages: [`${CODEX.package}@${CODEX.version}`],
  program: (clientFolder) => [join(clientFolder, "node_modules/.bin/codex")],
  prepare({ scratch, modelUrl }) {
    scratch.write(join(scratch.home, ".codex", "config.toml"), CONFIG(modelUrl, scratch.project));
  },
  run(_world, prompt) {
    return {
      args: ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt],
      env: { SCRIPTED_KEY: "x" },
    };
  },
  shell: (command) => ({ tool: "exec_command", input: { cmd: command } }),
  write: (file, text) => ({ tool: "apply_patch", input: patchOf(file, text) }),
  installed: ({ scratch }) => [join(scratch.home, ".codex", "hooks.json"), join(scratch.home, ".codex", "config.toml")],
};

export default driver;
