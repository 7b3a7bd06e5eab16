import { describe, expect, it } from "vitest";
import { effectsOf } from "../../effects/effects.ts";
import { readShell } from "../../shell/shell.ts";
import { snapshotFor } from "./snapshot-scope.ts";

const context = { cwd: "/w", project: "/w", userHome: "/home/me", tempDir: "/nowhere", folders: [] };
const limits = { folders: [], snapshotMegabytes: 1, snapshotMilliseconds: 1000 };

/** The snapshot for a line that replaces `src/a.ts`. */
function kept(line: string) {
  const shell = readShell(line);
  const effects = effectsOf(shell, context);
  const whole = effects.find(({ copied }) => copied);
  if (!whole) throw new Error(`nothing lands by: ${line}`);
  const { copied: _, ...one } = whole;
  const answered = [{ effect: { ...one, path: "/w/src/a.ts" }, whole, answer: "snapshot", isRoot: false } as const];
  const file = { kind: "file", uid: 0, mode: 0 } as const;
  return snapshotFor(answered, { effects, commands: shell.commands }, context, () => file, limits).unlessKept?.scope;
}

describe("what lands in the place of a file", () => {
  it("is kept as well where it is moved away", () => {
    expect(kept("mv gen/* src/")).toMatchObject({ paths: ["/w/src/a.ts"], patterns: ["/w/gen/*"] });
  });
  it("stays where it was when it is copied", () => {
    expect(kept("cp gen/* src/")).toMatchObject({ paths: ["/w/src/a.ts"], patterns: [] });
  });
  it("cannot be kept when it comes from several folders", () => {
    expect(kept("mv gen/*/out.ts src/")).toBeUndefined();
  });
});
