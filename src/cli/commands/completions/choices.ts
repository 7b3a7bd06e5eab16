import { INSTALLABLE_NAMES } from "../../../agents/installers.ts";
import { PROFILES } from "../../../core/settings/profiles.ts";
import type { CliCommand } from "../../command.ts";

/** What may follow an option: nothing, one of some words, a file, or something that no shell can know. */
export type Value = readonly string[] | "file" | "text" | undefined;

export interface Choice {
  readonly name: string;
  readonly description: string;
  readonly value: Value;
}

/** The words that may stand first after the command's name, by its usage. */
export function firstWords({ name, usage, words }: CliCommand): readonly string[] {
  if (words) return words;
  const rest = usage.slice(name.length).trim();
  const alternatives = /^\[([^\]]*)\]/.exec(rest)?.[1] ?? rest;
  const found = alternatives.split("|").map(
    (one) =>
      one
        .trim()
        .replace(new RegExp(`^${name} `), "")
        .split(" ")[0] ?? "",
  );
  return [...new Set(found.filter((word) => /^[a-z][a-z-]*$/.test(word)))];
}

export function optionsOf({ options = {} }: CliCommand): readonly Choice[] {
  const own = Object.entries(options).map(([name, { type, value = "", description }]) => ({
    name,
    description,
    value: type === "string" ? valueFor(name, value) : undefined,
  }));
  return [...own, { name: "help", description: "Explain this command.", value: undefined }];
}

function valueFor(name: string, value: string): Value {
  if (name === "profile") return PROFILES;
  if (name === "agent") return [...INSTALLABLE_NAMES, "all"];
  if (/^[a-z]+(?:\|[a-z]+)+$/.test(value)) return value.split("|");
  return /FILE|DIR|PATH|OUT/.test(value) ? "file" : "text";
}
