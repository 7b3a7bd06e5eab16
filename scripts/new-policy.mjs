// `npm run new-policy pack/name [-- --stage S --event E]`: writes a policy and its test from templates.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { LONGEST, nameParts, policyTemplate, testTemplate } from "./generate/policy-template.mjs";
import { loadTables, root } from "./generate/sources.mjs";

const USAGE = "Usage: npm run new-policy pack/name [-- --stage STAGE --event EVENT]";
const DEFAULT_STAGE = "scope";
const DEFAULT_EVENT = "tool.before";

class Refusal extends Error {}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  const { values, positionals } = parsed();
  const [id] = positionals;
  if (id === undefined || positionals.length > 1) throw new Refusal(USAGE);
  const [pack, name] = nameParts(id) ?? refuseName(id);
  const tables = await loadTables();
  const stage = values.stage ?? (Object.hasOwn(tables.STAGES, pack) ? pack : DEFAULT_STAGE);
  const event = values.event ?? DEFAULT_EVENT;
  known("stage", stage, tables.STAGES);
  known("event", event, tables.EVENTS);
  const sayable = tables.EVENTS[event].verdicts.filter((kind) => tables.STAGES[stage].verdicts.includes(kind));
  if (sayable.length === 0) throw new Refusal(`A policy of the ${stage} stage can say nothing at ${event}.`);

  const file = `src/policies/${pack}/${name}.ts`;
  const test = `src/policies/${pack}/${name}.test.ts`;
  writeNew({ [file]: policyTemplate({ id, stage, event, sayable }), [test]: testTemplate(name) });
  const generated = spawnSync(process.execPath, [path.join(root, "scripts/generate.mjs")], { stdio: "inherit" });
  if (generated.status !== 0) throw new Refusal(`${file} was written, but \`npm run generate\` failed: see above.`);

  const isOn = tables.packsOf(tables.PROFILES).has(pack);
  const profile = `Add the pack "${pack}" to a profile in src/core/settings/profiles.ts; until then nothing in it is ever on.`;
  const steps = [
    `Write the policy in ${file}.`,
    `Write its cases in ${test}; until then \`npx vitest run ${test}\` fails.`,
    ...(isOn ? [] : [profile]),
    "`npm run generate`, then `npm run check`.",
  ];
  console.log(["", "Next:", ...steps.map((step, index) => `${index + 1}. ${step}`)].join("\n"));
  return 0;
}

function parsed() {
  try {
    const options = { stage: { type: "string" }, event: { type: "string" } };
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new Refusal(`${error.message}\n${USAGE}`);
  }
}

function refuseName(id) {
  const form = `in small letters, digits and single hyphens, each at most ${LONGEST} characters`;
  throw new Refusal(`"${id}" cannot be a policy: its name is pack/name, ${form}, such as safety/force-push.`);
}

function known(what, given, table) {
  if (Object.hasOwn(table, given)) return;
  throw new Refusal(`There is no ${what} "${given}". Known: ${Object.keys(table).join(", ")}.`);
}

/** Writes all files, or none if one of them exists. */
function writeNew(files) {
  const taken = Object.keys(files).find((file) => fs.existsSync(path.join(root, file)));
  if (taken !== undefined) throw new Refusal(`${taken} exists already. Nothing was written.`);
  for (const [file, text] of Object.entries(files)) {
    const full = path.join(root, file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text, { flag: "wx" });
    console.log(`wrote ${file}`);
  }
}
