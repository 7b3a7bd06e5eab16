// For the bundle that every cold hook loads: each module becomes a function, which runs at the first use of an export.
// One event in a fresh process needs few modules, and V8 does not even parse the functions of the others.
import fs from "node:fs";
import path from "node:path";
import { build as bundle, transform } from "esbuild";

const AS_COMMONJS = { format: "cjs", target: "node20", logLevel: "error" };

export const lazyModules = {
  name: "lazy-modules",
  setup(build) {
    const { absWorkingDir: root } = build.initialOptions;
    // In a namespace of their own, since package.json declares ES modules and these become CommonJS.
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path: name, resolveDir }) => ({
      path: path.relative(root, path.join(resolveDir, name)),
      namespace: "lazy",
    }));
    build.onLoad({ filter: /.*/, namespace: "lazy" }, async ({ path: name }) => {
      const file = path.join(root, name);
      const source = withoutExamples(fs.readFileSync(file, "utf8"), name);
      const { code } = await transform(source, { ...AS_COMMONJS, loader: "ts" });
      return { contents: lazily(code, name), resolveDir: path.dirname(file) };
    });
    // A package becomes one module: all of it is used together.
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

/** The examples of a program are for its test and its page; a hook need not read them. */
function withoutExamples(source, file) {
  if (!/^src\/effects\/programs\/.*\.ts$/.test(file)) return source;
  return source.replace(/^ {2}examples: \{(?:.*\},|[\s\S]*?^ {2}\},)\n/m, "");
}

/** Rewrites the CommonJS output of esbuild for one module: exports become plain values, imports run at first use. */
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
