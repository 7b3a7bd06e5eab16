// Checks that imports point one way: cli, daemon -> engine -> config -> agents, policies -> domain -> state, effects ->
// shell -> system -> core. They also point one way between the parts of a room. Files directly in a room are shared by
// its parts and visible to other rooms: they may import, and be imported by, any part.
import fs from "node:fs";
import path from "node:path";

const ROOMS = {
  "index.ts": ["core"],
  core: [],
  system: ["core"],
  state: ["core", "system"],
  shell: ["core", "system"],
  effects: ["core", "system", "shell"],
  domain: ["core", "system", "state", "shell", "effects"],
  policies: ["core", "domain", "shell", "effects"],
  agents: ["core", "domain", "shell"],
  config: ["core", "policies", "agents"],
  engine: ["core", "system", "state", "shell", "effects", "domain", "policies", "agents", "config"],
  replay: ["core", "system", "state", "domain", "agents", "config", "engine"],
  fleet: ["core", "system", "state", "domain", "config", "engine"],
  daemon: ["core", "system", "state", "domain", "engine", "config", "fleet"],
  cli: [
    "core",
    "system",
    "state",
    "shell",
    "effects",
    "domain",
    "policies",
    "agents",
    "config",
    "engine",
    "replay",
    "fleet",
    "daemon",
  ],
  testing: ["core", "system", "state", "shell", "effects", "domain", "policies", "agents", "config", "engine"],
};

/** Each part may import those that stand before it. */
const PARTS = {
  shell: ["parse", "expand", "launch", "walk"],
  effects: ["line", "files", "git", "languages", "across-commands", "programs"],
  engine: ["config", "project-policies", "receive", "decide", "jobs", "record", "waiting"],
  fleet: ["connection", "schema", "bundles", "board", "link"],
  cli: ["terminal", "installation", "state", "commands"],
};
/** Tests of a whole room, and what they share. */
const TESTS = /\.(test|samples)\.ts$|\/tests\//;

let wrong = 0;
for (const entry of fs.readdirSync("src", { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
  const file = path.join(entry.parentPath, entry.name);
  if (TESTS.test(file)) continue;
  const text = fs.readFileSync(file, "utf8");
  for (const [, target] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
    const problem = between(placeOf(file), placeOf(path.join(path.dirname(file), target)));
    if (problem === undefined) continue;
    wrong++;
    console.error(`${file} imports ${target}: ${problem}`);
  }
}
process.exitCode = wrong > 0 ? 1 : 0;

function between(from, to) {
  if (!(from.room in ROOMS)) return `${from.room} is no room: add it to ROOMS`;
  if (from.room !== to.room) {
    return ROOMS[from.room].includes(to.room) ? undefined : `${from.room} may not import ${to.room}`;
  }
  const parts = PARTS[from.room];
  if (!parts || from.part === to.part || from.part === "" || to.part === "") return undefined;
  for (const { part } of [from, to]) if (!parts.includes(part)) return `${part} is no part of ${from.room}`;
  if (parts.indexOf(to.part) < parts.indexOf(from.part)) return undefined;
  return `${from.room}/${from.part} may not import ${from.room}/${to.part}`;
}

function placeOf(file) {
  const [room, ...rest] = path.relative("src", file).split(path.sep);
  return { room, part: rest.length > 1 ? rest[0] : "" };
}
