/** The corpus of commands that are approved or left to the person, with every group in the person's list. */
import fs from "node:fs";
import path from "node:path";

export interface Sample {
  readonly command: string;
  /** The group that approves it; undefined when it is left alone. */
  readonly group: string | undefined;
  readonly about: string;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "\\n": "\n",
  "\\r": "\r",
  "\\t": "\t",
  "\\0": "\0",
  "\\u00a0": "\u00a0",
};

function read(): Sample[] {
  const text = fs.readFileSync(path.join(import.meta.dirname, "commands.samples.txt"), "utf8");
  const samples: Sample[] = [];
  let heading: Omit<Sample, "command"> = { group: undefined, about: "" };
  for (const line of text.split("\n")) {
    const [, group, about] = /^\[([a-z-]+)\] (.+)$/.exec(line) ?? [];
    if (about !== undefined) heading = { group: group === "leave" ? undefined : group, about };
    else if (line !== "" && !line.startsWith("# ")) {
      const command = line.replace(/\\(?:n|r|t|0|u00a0)/g, (word) => CHARACTERS[word] as string);
      samples.push({ ...heading, command });
    }
  }
  return samples;
}

export const corpus: readonly Sample[] = read();
