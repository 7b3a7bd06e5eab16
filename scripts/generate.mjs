// Writes every generated file, or with --check fails when one of them is out of date or has lost its source.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { agentsPage } from "./generate/agents-page.mjs";
import { cliPage } from "./generate/cli-page.mjs";
import { errorsPage } from "./generate/errors-page.mjs";
import { manPage } from "./generate/man-page.mjs";
import { orderPage } from "./generate/order-page.mjs";
import { acceptancePage, ntmPage, teamsPage } from "./generate/origins/acceptance-page.mjs";
import { conflictsPage } from "./generate/origins/conflicts-page.mjs";
import { overviewPage } from "./generate/origins/overview-page.mjs";
import { parityPage } from "./generate/origins/parity-page.mjs";
import { suitesPage } from "./generate/origins/suites-page.mjs";
import { platformsPage } from "./generate/platforms-page.mjs";
import { omcHooks } from "./generate/plugin-hooks.mjs";
import { policyPages } from "./generate/policy-pages.mjs";
import { programsPage, programsSource } from "./generate/programs.mjs";
import { registrySource } from "./generate/registry.mjs";
import { loadSources, root } from "./generate/sources.mjs";

const isCheck = process.argv.includes("--check");
const SCHEMA = "schema/hookwright.schema.json";
const OMC_HOOKS = "plugin/omc/hooks/hooks.json";
/** All files in this folder are generated; others are left over from removed sources. */
const GENERATED_FOLDER = "docs/policies";

/** The formatter also checks such a file, so it is written in its format. */
function formattedJson(file, value) {
  const biome = path.join(root, "node_modules/@biomejs/biome/bin/biome");
  const input = JSON.stringify(value);
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${file}`], {
    cwd: root,
    input,
  }).toString();
}

function orphans(files) {
  const folder = path.join(root, GENERATED_FOLDER);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .filter((file) => !Object.hasOwn(files, file));
}

const sources = await loadSources();
const files = {
  "src/policies/index.gen.ts": registrySource(sources.policies),
  "src/effects/programs.gen.ts": programsSource(sources),
  [SCHEMA]: formattedJson(SCHEMA, sources.configSchema(sources.policies)),
  [OMC_HOOKS]: formattedJson(OMC_HOOKS, omcHooks(sources)),
  "docs/agents.md": agentsPage(sources),
  "docs/config.md": sources.configPage(sources.policies),
  "docs/order.md": orderPage(sources),
  "docs/errors.md": errorsPage(sources),
  "docs/programs.md": programsPage(sources),
  "docs/cli.md": cliPage(sources),
  "docs/guides/conflicts.md": conflictsPage(),
  "docs/origins/README.md": overviewPage(sources),
  "docs/hookwright.1": manPage(sources),
  "docs/platforms.md": platformsPage(),
  "docs/origins/agent-team-mail.md": teamsPage(),
  "docs/origins/ntm-orchestrator.md": ntmPage(sources),
  "docs/origins/oh-my-claudecode.md": parityPage(sources),
  "docs/origins/project-orchestrator.md": acceptancePage(),
  "docs/origins/workflow-engine.md": suitesPage(),
  ...policyPages(sources),
};
let wrong = 0;
for (const [file, text] of Object.entries(files)) {
  const full = path.join(root, file);
  if (fs.existsSync(full) && fs.readFileSync(full, "utf8") === text) continue;
  wrong++;
  if (isCheck) console.error(`${file} is out of date: run \`npm run generate\``);
  else {
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text);
    console.log(`wrote ${file}`);
  }
}
for (const file of orphans(files)) {
  wrong++;
  if (isCheck) console.error(`${file} has lost its source: run \`npm run generate\``);
  else {
    fs.rmSync(path.join(root, file));
    console.log(`removed ${file}`);
  }
}
process.exitCode = isCheck && wrong > 0 ? 1 : 0;
