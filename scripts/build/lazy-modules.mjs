// For the file that every cold hook loads: a module becomes a function, which runs when something of it is first used.
// One event in a fresh process concerns few modules, and of the others V8 need not even know what functions they have.
import fs from "node:fs";
import path from "node:path";
import { build as bundle, transform } from "esbuild";

const AS_COMMONJS = { format: "cjs", target: "node20", logLevel: "error" };

export const lazyModules = {
  name: "lazy-modules",
  setup(build) {
    const { absWorkingDir: root } = build.initialOptions;
    // In a namespace of their own: package.json says that ours are ES modules, and esbuild would take it at its word.
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path: name, resolveDir }) => ({
      path: path.relative(root, path.join(resolveDir, name)),
      namespace: "lazy",
    }));
    build.onLoad({ filter: /.*/, namespace: "lazy" }, async ({ path: name }) => {
      const file = path.join(root, name);
      const { code } = await transform(fs.readFileSync(file, "utf8"), { ...AS_COMMONJS, loader: "ts" });
      return { contents: lazily(code, name), resolveDir: path.dirname(file) };
    });
    // A package is one module: nothing of it is used without the rest.
    build.onResolve({ filter: /^unbash$/ }, ({ path: name }) => ({ path: name, namespace: "package" }));
    build.onLoad({ filter: /.*/, namespace: "package" }, async ({ path: name }) => {
      const made = await bundle({
        ...AS_COMMONJS,
        stdin: { contents: `export * from "${name}";`, resolveDir: root },
        bundle: true,
        write: false,
      });
      return { contents: made.outputFiles[0].text };
    });
  },
};

/** From what esbuild makes of one ES module: exports are plain values, and imports happen where they are used. */
function lazily(code, file) {
  const shape = /\n__export\(\w+, \{\n([\s\S]*?)\n\}\);\nmodule\.exports = __toCommonJS\(\w+\);\n([\s\S]*)$/;
  const [, exported = "", body = ""] = shape.exec(code) ?? [];
  const functions = new Set([...body.matchAll(/^(?:async )?function\*? (\w+)/gm)].map(([, name]) => name));
  const [hoisted, others] = [[], []];
  for (const line of exported.split(/,\n/)) {
    const [, name, local] = /^ {2}(\w+): \(\) => (\w+)$/.exec(line) ?? [];
    (functions.has(local) ? hoisted : others).push(`exports.${name} = ${local};`);
  }
  let text = body.replace(/\bimport\(("\.[^"]+")\)/g, "Promise.resolve().then(() => require($1))");
  for (const [line, name, from] of body.matchAll(/^var (\w+) = (?:__toESM\()?require\(("[^"]+")\)\)?;\n/gm)) {
    text = text.replace(line, "");
    if (new RegExp(`\\b${name}\\b(?!\\.)`).test(text)) throw new Error(`${file} uses all of ${from} as one value`);
    text = text.replaceAll(`${name}.`, `(${name} ||= require(${from})).`);
    hoisted.unshift(`var ${name};`);
  }
  const made = [...hoisted, text, ...others].join("\n");
  const odd = /exports\.undefined\b|\b__\w+\(|^import\b/m.exec(made);
  if (odd) throw new Error(`${file} cannot be loaded lazily: nothing is known about ${odd[0]}`);
  return made;
}
