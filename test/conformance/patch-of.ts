/** A patch that adds a file, in the form of `apply_patch`. */
export function patchOf(file: string, text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return ["*** Begin Patch", `*** Add File: ${file}`, ...lines.map((line) => `+${line}`), "*** End Patch", ""].join(
    "\n",
  );
}
