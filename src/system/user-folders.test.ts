import os from "node:os";
import { afterEach, expect, it, vi } from "vitest";
import { homeFolder, temporaryFolder } from "./user-folders.ts";

afterEach(() => vi.unstubAllEnvs());

it.each([
  {},
  { HOME: undefined, TMPDIR: undefined },
  { HOME: "/somewhere/else", TMPDIR: "/a/b/" },
  { HOME: "", TMPDIR: "/", TMP: "/never" },
  { TMPDIR: "", TMP: "/t//" },
  { TMPDIR: undefined, TMP: undefined, TEMP: "x/" },
])("are those of node:os with %j", (env) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect([homeFolder(), temporaryFolder()]).toEqual([os.homedir(), os.tmpdir()]);
});
