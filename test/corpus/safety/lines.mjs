// Reads the labelled command lines. The format is described in README.md.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));

export function readCorpus() {
  const files = fs.readdirSync(here).filter((file) => file.endsWith(".txt"));
  return files.sort().flatMap((file) => readFamily(file, fs.readFileSync(path.join(here, file), "utf8")));
}

export function isHeldOut(command) {
  return (createHash("sha256").update(command).digest()[0] ?? 0) % 2 === 0;
}

export function readFamily(file, text) {
  const [, family = "", half] = /^(.*?)(?:\.(dev|held-out))?\.txt$/.exec(path.basename(file)) ?? [];
  const found = [];
  let section;
  let block;
  for (const [at, line] of text.split("\n").entries()) {
    const where = `${file}:${at + 1}`;
    const header = /^\[(block|allow)\] (\S.*)$/.exec(line);
    const add = (command) => {
      if (!section) throw new Error(`${where}: a command before the first [block] or [allow] heading`);
      const heldOut = half === undefined ? isHeldOut(command) : half === "held-out";
      found.push({ ...section, family, command, heldOut, byHash: half === undefined, where });
    };
    if (block) {
      if (line !== ">>>") block.push(line);
      else {
        add(block.join("\n"));
        block = undefined;
      }
    } else if (header) {
      section = { expect: header[1] === "block" ? "block" : "allow", disguise: header[2] ?? "" };
    } else if (line === "<<<") block = [];
    else if (line.trim() !== "" && !line.startsWith("#")) add(line);
  }
  if (block) throw new Error(`${file}: a command begun with <<< never ends`);
  return found;
}
