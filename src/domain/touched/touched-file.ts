import path from "node:path";
import type { EventOf } from "../../core/event.ts";

/** The absolute path of the file that a call read or edited; undefined for any other call. */
export function touchedFile({ tool, writes, cwd }: EventOf<"tool.after">): string | undefined {
  const file = tool.kind === "edit" ? writes[0] : tool.kind === "read" ? tool.input.file_path : undefined;
  const isName = typeof file === "string" && file !== "" && !file.includes("\0");
  return isName ? path.resolve(cwd, file) : undefined;
}
