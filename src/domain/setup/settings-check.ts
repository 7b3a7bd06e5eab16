import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";

/** The settings of oh-my-claudecode: of the project, and of the person. */
export function settingsFiles(project: string, userHome: string): readonly string[] {
  return [path.join(project, ".omc/config.json"), path.join(userHome, ".claude/.omc-config.json")];
}

const LARGEST = 256 * 1024;

/** Reads a text and returns what `digest` makes of it, or what it was found to be before. */
type ReadText = (file: string, about: string, digest: (text: string) => string, most: number) => string | undefined;

/** A sentence for each settings file that is there and cannot be used. */
export function settingsProblems(info: PolicyContext["info"], read: ReadText, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    if (info(file) === undefined) return [];
    const problem = read(file, "settings problem", problemOf, LARGEST);
    if (problem === "") return [];
    return [`${file} is not used: ${problem ?? "it cannot be read, or is larger than 256 KB"}.`];
  });
}

/** Why a text holds no settings; empty when it does. */
export function problemOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? "" : "it is not a JSON object";
  } catch (error) {
    if (error instanceof SyntaxError) return "it is not JSON";
    throw error;
  }
}
