// Imports point one way: cli, daemon -> engine -> config -> agents, policies -> domain -> state, shell -> core.
import fs from "node:fs";
import path from "node:path";

const MAY_IMPORT = {
  "index.ts": ["core"],
  core: [],
  state: ["core"],
  shell: ["core"],
  domain: ["core", "state", "shell"],
  policies: ["core", "domain", "shell"],
  agents: ["core", "domain", "shell"],
  config: ["core", "policies", "agents"],
  engine: ["core", "state", "shell", "domain", "policies", "agents", "config"],
  daemon: ["core", "state", "domain", "engine", "config"],
  cli: ["core", "state", "shell", "domain", "policies", "agents", "config", "engine", "daemon"],
  testing: ["core", "state", "shell", "domain", "policies", "agents", "config", "engine"],
};

let wrong = 0;
for (const entry of fs.readdirSync("src", { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith(".ts") || /\.(test|samples)\.ts$/.test(entry.name)) continue;
  const file = path.join(entry.parentPath, entry.name);
  const room = roomOf(file);
  const text = fs.readFileSync(file, "utf8");
  for (const [, target] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
    const other = roomOf(path.join(path.dirname(file), target));
    if (other === room || MAY_IMPORT[room]?.includes(other)) continue;
    wrong++;
    console.error(`${file} imports ${target}: ${room} may not know ${other}`);
  }
}
process.exitCode = wrong > 0 ? 1 : 0;

function roomOf(file) {
  return path.relative("src", file).split(path.sep)[0];
}
