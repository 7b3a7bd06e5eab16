// A test is named by its file and by words of its name, and both have to be there.
import fs from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { plain } from "../markdown.mjs";
import { root } from "../sources.mjs";

/** A test that shows something: the file, and the words by which the test is found there. */
export const shows = (file, ...names) => ({ file, names });
/** Something that a user will notice, and why it is different. */
export const differs = (what, why) => ({ what, why });
/** Something that can only happen elsewhere. */
export const not = (because) => ({ because });

const textsOfFiles = new Map();

/** A link to a file of the repository, which must exist. */
export function fileLink(where, file) {
  if (!fs.existsSync(path.join(root, file))) throw new Error(`${where} names ${file}, which does not exist`);
  const folder = file.startsWith("test/e2e/") ? "e2e/" : "";
  return `[${folder}${path.basename(file)}](../../${file})`;
}

/** A link to tests with their names, which must exist. */
export function testLink(where, { file, names }) {
  const link = fileLink(where, file);
  if (names.length === 0) throw new Error(`${where} names no test of ${file}`);
  const texts = textsOf(file);
  const missing = names.filter((name) => !texts.has(name));
  if (missing.length > 0) throw new Error(`${where}: ${file} has no test "${missing.join('", "')}"`);
  return `${link}: ${names.map((name) => `“${plain(name)}”`).join(", ")}`;
}

/** What is different, with its reason, which must be there. */
export function differenceText(where, { what, why }) {
  if (!what?.trim() || !why?.trim()) throw new Error(`${where}: a difference has no reason`);
  return `${plain(what)} (${plain(why.replace(/\.$/, ""))})`;
}

/** The strings of a file, so that a comment names no test. */
function textsOf(file) {
  const known = textsOfFiles.get(file);
  if (known) return known;
  const source = fs.readFileSync(path.join(root, file), "utf8");
  const texts = new Set(file.endsWith(".sh") ? quotedIn(source) : stringsIn(file, source));
  textsOfFiles.set(file, texts);
  return texts;
}

/** The first argument of each check in a script is its name. */
const quotedIn = (script) => [...script.matchAll(/\b[a-z_]+ "([^"$\n]+)"/g)].map(([, name]) => name);

function stringsIn(file, source) {
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    else if (typeof node === "object" && node !== null) {
      if (node.type === "Literal" && typeof node.value === "string") found.push(node.value);
      else if (node.type === "TemplateElement") found.push(node.value.cooked ?? node.value.raw);
      else for (const value of Object.values(node)) visit(value);
    }
  };
  visit(parseSync(file, source).program);
  return found;
}
