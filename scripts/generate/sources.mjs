// Loads policies and tables, which are TypeScript, through a temporary bundle that every supported Node can run.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const UNITS = "src/effects/programs";

/** All policies in the order of their ids, and the tables and texts that the generated files are made from. */
export async function loadSources() {
  const ids = policyIds();
  const paths = unitPaths();
  const { described, loaded } = await load([
    ...ids.map((id, index) => `export { default as p${index} } from "./src/policies/${id}.ts";`),
    ...paths.map((path, index) => `export { default as u${index} } from "./${UNITS}/${path}.ts";`),
  ]);
  const policies = ids.map((id, index) => checked(id, loaded[`p${index}`]));
  return { ...described, policies, units: paths.map((path, index) => ({ path, unit: loaded[`u${index}`] })) };
}

/** Only the tables and texts, which also load while a policy is incomplete. */
export async function loadTables() {
  return (await load([])).described;
}

function policyIds() {
  const folder = path.join(root, "src/policies");
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((pack) => fs.readdirSync(path.join(folder, pack.name)).map((file) => `${pack.name}/${file}`))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => file.slice(0, -3))
    .sort();
}

/** `family/name` of every file below `programs/` that is a unit and not code beside one. */
function unitPaths() {
  const folder = path.join(root, UNITS);
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((family) => fs.readdirSync(path.join(folder, family.name)).map((file) => `${family.name}/${file}`))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) => /^export default program\(/m.test(fs.readFileSync(path.join(folder, file), "utf8")))
    .map((file) => file.slice(0, -3))
    .sort();
}

/** What is generated from the units may name one that is gone, and must not be needed to read them. */
const withoutRegistry = {
  name: "without-registry",
  setup(build) {
    build.onLoad({ filter: /\/programs\.gen\.ts$/ }, () => ({
      contents: "export const PROGRAMS = {}; export const UNITS = {};",
    }));
  },
};

async function load(lines) {
  const contents = ['export * as described from "./scripts/generate/described.ts";', ...lines].join("\n");
  const scratch = fs.mkdtempSync(path.join(root, "node_modules/.hookwright-generate-"));
  try {
    const outfile = path.join(scratch, "sources.mjs");
    await build({
      stdin: { contents, resolveDir: root, loader: "ts" },
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["libsql", "./config.cjs"],
      banner: { js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);' },
      plugins: [withoutRegistry],
      outfile,
      logLevel: "error",
    });
    const loaded = await import(pathToFileURL(outfile).href);
    return { described: loaded.described, loaded };
  } finally {
    fs.rmSync(scratch, { recursive: true });
  }
}

function checked(id, policy) {
  if (policy?.id !== id) throw new Error(`src/policies/${id}.ts must export a policy with the id "${id}"`);
  if (!fs.existsSync(path.join(root, `src/policies/${id}.test.ts`))) {
    throw new Error(`src/policies/${id}.ts has no test beside it`);
  }
  return policy;
}
