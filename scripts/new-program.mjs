// `npm run new-program NAME [-- --family F --kind K]`: writes the unit of a program from a template.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { fileNameOf, LONGEST, programTemplate } from "./generate/program-template.mjs";
import { loadSources, root } from "./generate/sources.mjs";

const USAGE = "Usage: npm run new-program NAME [-- --family FAMILY --kind KIND]";
const FOLDER = "src/effects/programs";
const DEFAULT_FAMILY = "other";
const DEFAULT_KIND = "destroy-infrastructure";

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
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new Refusal(USAGE);
  const fileName = fileNameOf(name);
  if (fileName === undefined)
    throw new Refusal(
      `"${name}" cannot be a program: letters, digits, ".", "_" and "-", at most ${LONGEST} characters.`,
    );
  const { units, TABLES, EFFECT_KINDS } = await loadSources();
  const families = [...new Set(units.map(({ path: place }) => place.split("/")[0]))];
  const family = values.family ?? DEFAULT_FAMILY;
  if (values.family !== undefined && !families.includes(family))
    throw new Refusal(`There is no family "${family}". Known: ${families.join(", ")}.`);
  const kind = values.kind ?? DEFAULT_KIND;
  if (!Object.hasOwn(EFFECT_KINDS, kind))
    throw new Refusal(`There is no kind "${kind}". Known: ${Object.keys(EFFECT_KINDS).join(", ")}.`);
  refuseKnown(name, units, TABLES);

  const file = `${FOLDER}/${family}/${fileName}.ts`;
  writeNew(file, programTemplate({ name, kind }));
  const generated = spawnSync(process.execPath, [path.join(root, "scripts/generate.mjs")], { stdio: "inherit" });
  if (generated.status !== 0) throw new Refusal(`${file} was written, but \`npm run generate\` failed: see above.`);
  const test = `npx vitest run ${FOLDER}/units.test.ts -t ${family}/${fileName}`;
  const steps = [
    `Write the rules and examples in ${file}; until then \`${test}\` fails.`,
    ...(values.family === undefined ? [`Move it to a family: ${families.join(", ")}.`] : []),
    "`npm run generate`, then `npm run check`.",
  ];
  console.log(["", "Next:", ...steps.map((step, index) => `${index + 1}. ${step}`)].join("\n"));
  return 0;
}

function parsed() {
  try {
    const options = { family: { type: "string" }, kind: { type: "string" } };
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new Refusal(`${error.message}\n${USAGE}`);
  }
}

function refuseKnown(name, units, tables) {
  const unit = units.find((one) => one.unit.names.includes(name));
  if (unit) throw new Refusal(`${name} is known already: add its rules to ${FOLDER}/${unit.path}.ts.`);
  const table = Object.entries(tables).find(([, programs]) => Object.hasOwn(programs(), name));
  if (table) throw new Refusal(`${name} is known already: the code of the table "${table[0]}" reads it.`);
}

function writeNew(file, text) {
  const full = path.join(root, file);
  if (fs.existsSync(full)) throw new Refusal(`${file} exists already. Nothing was written.`);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text, { flag: "wx" });
  console.log(`wrote ${file}`);
}
