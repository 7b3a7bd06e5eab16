import fs from "node:fs";
import path from "node:path";
import { describe } from "../../core/errors.ts";

/** Variables that would change what a shell runs before the agent's command starts. */
const DANGEROUS = /^(?:PATH|IFS|ENV|BASH_ENV|SHELLOPTS|LD_.*|HOOKWRIGHT_.*)$/;

/** Appends to the file that the agent sources before its later shell commands. Returns the names it wrote. */
export function exportVariables(file: string | undefined, variables: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(variables).filter((name) => /^[A-Za-z_]\w*$/.test(name) && !DANGEROUS.test(name));
  if (names.length === 0 || !file || !path.isAbsolute(file)) return [];
  const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;
  const lines = names.map((name) => `export ${name}=${quoted(variables[name] ?? "")}\n`);
  fs.appendFileSync(file, lines.join(""), { mode: 0o600 });
  return names;
}

/** The same after a decision, which stands even if this fails: returns what went wrong as a sentence, or nothing. */
export function tryToExport(file: string | undefined, variables: Readonly<Record<string, string>>): string {
  try {
    exportVariables(file, variables);
    return "";
  } catch (error) {
    return `Variables for the agent could not be written: ${describe(error)}.`;
  }
}
