import type { Command } from "../command.ts";
import { readTree } from "../parse/tree.ts";
import { Reader } from "./reader.ts";

export type ShellReading = { readonly commands: readonly Command[] } | { readonly unreadable: string };

/** The simple commands of a text in the order they would be reached, without looking into what they start. */
export function readCommands(text: string): ShellReading {
  const reader = new Reader({ parse: readTree, follow: false });
  const unreadable = reader.read(text);
  return unreadable === undefined ? { commands: reader.commands } : { unreadable };
}
