// Builds the engine with a call of `__entered(number)` at the start of every function of the sources.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { parseSync, visitorKeys } from "oxc-parser";

/** The bundle in `outfile`; returns every function that it holds, by the number that it reports itself with. */
export async function buildInstrumented(root, outfile) {
  const functions = [];
  const instrument = {
    name: "instrument",
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: file }) => {
        const text = fs.readFileSync(file, "utf8");
        return { contents: instrumented(text, path.relative(root, file), functions), loader: "ts" };
      });
    },
  };
  await build({
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "error",
    absWorkingDir: root,
    external: ["libsql", "./config.cjs", "./patterns.cjs", "./toml.cjs"],
    define: { "import.meta.url": "undefined" },
    supported: { "dynamic-import": false },
    stdin: {
      contents: 'export * from "./src/engine/cold.ts"; export { encodeFrame } from "./src/core/frame.ts";',
      resolveDir: root,
    },
    plugins: [instrument],
    outfile,
  });
  return functions;
}

/** What the engine loads from beside its bundle; it is not traced. */
export async function buildChunks(root, folder) {
  const entries = ["config/compile.ts", "config/patterns.ts", "config/toml.ts"];
  const names = ["config", "patterns", "toml"];
  await build({
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "error",
    absWorkingDir: root,
    define: { "import.meta.url": "undefined" },
    external: ["libsql"],
    entryPoints: Object.fromEntries(names.map((name, at) => [name, `src/${entries[at]}`])),
    outdir: folder,
    outExtension: { ".js": ".cjs" },
  });
}

function instrumented(text, file, functions) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const insertions = [];
  const lineAt = (offset) => text.slice(0, offset).split("\n").length;
  visit(program, undefined, "", "");

  function visit(node, parent, name, outer) {
    let inside = outer;
    if (isFunctionWithBody(node)) {
      const isCallback = parent?.type === "CallExpression" && parent.arguments.includes(node);
      const own = node.id?.name ?? name;
      inside = own || (outer === "" ? "(anonymous)" : `(callback in ${outer.replace(/^\(callback in (.*)\)$/, "$1")})`);
      const number = functions.push({ name: inside, file, line: lineAt(node.start), isCallback }) - 1;
      if (node.body.type === "BlockStatement") {
        insertions.push([node.body.start + 1, `__entered(${number});`]);
      } else {
        insertions.push([node.body.start, `(__entered(${number}), (`], [node.body.end, "))"]);
      }
    }
    const named = nameGivenBy(node);
    for (const key of visitorKeys[node.type] ?? []) {
      for (const child of [node[key]].flat()) {
        if (child) visit(child, node, key === "value" || key === "init" || key === "right" ? named : "", inside);
      }
    }
  }

  let made = text;
  // Later places first; of two ends at one place the inner comes first, and they are equal.
  for (const [at, what] of insertions.sort(([a], [b]) => b - a)) made = made.slice(0, at) + what + made.slice(at);
  return made;
}

function isFunctionWithBody({ type, body }) {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type) && Boolean(body);
}

function nameGivenBy(node) {
  const { type } = node;
  if (type === "VariableDeclarator") return node.id.name ?? "";
  if (type === "AssignmentExpression") return node.left.name ?? node.left.property?.name ?? "";
  if (/^(Property|MethodDefinition|PropertyDefinition)$/.test(type))
    return node.key.name ?? String(node.key.value ?? "");
  return "";
}
