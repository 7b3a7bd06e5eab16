// How many cases a test file has: its tests, the rows of its tables, and the prompts or lines of its samples.
import fs from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { root } from "./sources.mjs";

const read = (file) => fs.readFileSync(path.join(root, file), "utf8");

/** Cases of one test file. A table that is computed counts as one case. */
export function casesIn(file) {
  const { program } = parseSync(file, read(file));
  const tables = new Map();
  visit(program, (node) => {
    const value = unwrapped(node.init);
    if (node.type === "VariableDeclarator" && value?.type === "ArrayExpression") tables.set(node.id.name, value);
  });
  const rows = (node) => {
    const value = unwrapped(node);
    if (value?.type === "ArrayExpression") return rowsOf(value, rows);
    if (value?.type === "Identifier" && tables.has(value.name)) return rowsOf(tables.get(value.name), rows);
    // What is made of a table has as many rows at most; a filter may leave fewer, so it counts once.
    const isMapped = value?.type === "CallExpression" && value.callee.property?.name === "map";
    return isMapped ? rows(value.callee.object) : 1;
  };
  let count = 0;
  visit(program, (node) => {
    if (node.type !== "CallExpression") return;
    const { callee } = node;
    if (isTest(callee)) count++;
    else if (callee.type === "CallExpression" && callee.callee.property?.name === "each") {
      if (isTest(callee.callee.object)) count += rows(callee.arguments[0]);
    } else if (callee.name === "testPolicy") {
      const properties = node.arguments[1]?.properties ?? [];
      for (const { key, value } of properties) if (["hit", "pass"].includes(key?.name)) count += rows(value);
    }
  });
  return count;
}

/** Lines of a file of samples, without its comments and headings. */
export function samplesIn(file) {
  return read(file)
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^#(?: |$)|^\[[^\]]+\] /.test(line)).length;
}

function isTest(node) {
  if (node?.type === "Identifier") return node.name === "it" || node.name === "test";
  // `it.skipIf(…)(…)`
  const inner = node?.type === "CallExpression" ? node.callee : undefined;
  return inner?.property?.name === "skipIf" && isTest(inner.object);
}

function rowsOf({ elements }, rows) {
  return elements.reduce((sum, one) => sum + (one?.type === "SpreadElement" ? rows(one.argument) : 1), 0);
}

function unwrapped(node) {
  return ["TSAsExpression", "TSSatisfiesExpression"].includes(node?.type) ? unwrapped(node.expression) : node;
}

function visit(node, look) {
  if (Array.isArray(node)) for (const one of node) visit(one, look);
  else if (typeof node?.type === "string") {
    look(node);
    for (const value of Object.values(node)) if (typeof value === "object" && value !== null) visit(value, look);
  }
}
