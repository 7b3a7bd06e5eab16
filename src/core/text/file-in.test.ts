import path from "node:path";
import { expect, it } from "vitest";
import { fileIn } from "./file-in.ts";

it.each(["/", "/a", "/a/b", "/a/"])("is the same as joining for %s", (folder) => {
  expect(fileIn(folder, ".git")).toBe(path.join(folder, ".git"));
});
