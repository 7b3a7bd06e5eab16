// Policies and what describes them are TypeScript; a throw-away bundle lets every supported Node read them.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Every policy, in the order of its id, and the tables and texts of the product. */
export async function loadSources() {
  const ids = policyIds();
  const lines = ids.map((id, index) => `export { default as p${index} } from "./src/policies/${id}.ts";`);
  const { described, loaded } = await load(lines);
  return { ...described, policies: ids.map((id, index) => checked(id, loaded[`p${index}`])) };
}

/** The tables and texts alone, which can be read while a policy is half written. */
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
