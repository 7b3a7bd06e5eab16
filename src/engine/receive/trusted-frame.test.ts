import { describe, expect, it } from "vitest";
import type { Frame } from "../../core/frame.ts";
import { fakePorts } from "../../testing/fake-ports.ts";
import { trustedFrame } from "./trusted-frame.ts";

const frame = (env: Record<string, string>): Frame => ({
  nonce: "n",
  build: "b",
  home: env.HOOKWRIGHT_HOME ?? "/home/dev/.local/share/hookwright",
  deadline: 0,
  cwd: "/p/src",
  ppid: 1,
  cut: "",
  args: [],
  env,
  body: Buffer.alloc(0),
});
const sets = (env: Record<string, string>): string => JSON.stringify({ env });
const trusted = (env: Record<string, string>, files: Record<string, string>) =>
  trustedFrame(frame(env), fakePorts({ files: { "/p/.git": { dir: 0o755 }, ...files } }), "/home/dev");

describe("what a project's settings put into the environment", () => {
  it.each(["/p/.claude/settings.json", "/p/.claude/settings.local.json", "/p/src/.claude/settings.json"])(
    "does not count when it comes from %s",
    (file) => {
      const { frame: cleaned, notice } = trusted(
        { HOOKWRIGHT_DISABLE: "1", PATH: "/bin" },
        { [file]: sets({ HOOKWRIGHT_DISABLE: "1" }) },
      );
      expect(cleaned.env).toEqual({ PATH: "/bin" });
      expect(notice).toContain(file);
      expect(notice).toContain("HOOKWRIGHT_DISABLE");
    },
  );

  it("cannot move the guard's home", () => {
    const { frame: cleaned } = trusted(
      { HOOKWRIGHT_HOME: "/evil" },
      { "/p/.claude/settings.json": sets({ HOOKWRIGHT_HOME: "/evil" }) },
    );
    expect(cleaned.home).toBe("/home/dev/.local/share/hookwright");
  });

  it("is left alone when the person set it", () => {
    const env = { HOOKWRIGHT_DISABLE: "1" };
    for (const files of [
      {},
      { "/home/dev/.claude/settings.json": sets(env) },
      { "/p/.claude/settings.json": sets({ OTHER: "1" }) },
    ]) {
      expect(trusted(env, files)).toMatchObject({ frame: { env }, notice: "" });
    }
  });
});
