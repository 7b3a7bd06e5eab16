import { HookwrightError } from "../errors.ts";

/** The only way an outside name (session, team, file) becomes part of a path. */
export function safeName(name: string): string {
  const cleaned = name.replace(/[^A-Za-z0-9_.-]/g, "_").slice(0, 128);
  if (cleaned === "" || cleaned === "." || cleaned === "..") throw new HookwrightError("HW_PATH_ESCAPES", { name });
  return cleaned;
}
