import { describe, expect, test } from "vitest";
import { envFilesAbove, namesInEnvFile } from "./env-files.ts";

describe("the files that an agent may read", () => {
  test("are those of the folder and of all above it, but not the person's own", () => {
    expect(envFilesAbove("/home/dev/shop/app", ".gemini", "/home/dev")).toEqual([
      "/home/dev/shop/app/.gemini/.env",
      "/home/dev/shop/app/.env",
      "/home/dev/shop/.gemini/.env",
      "/home/dev/shop/.env",
    ]);
    expect(envFilesAbove("/home/dev", ".gemini", "/home/dev")).toEqual([]);
  });

  test("go up to the root outside of the home folder", () => {
    expect(envFilesAbove("/srv", ".qwen", "/home/dev")).toEqual([
      "/srv/.qwen/.env",
      "/srv/.env",
      "/.qwen/.env",
      "/.env",
    ]);
    expect(envFilesAbove("/srv", ".qwen", "")).toHaveLength(4);
  });
});

describe("the variables that a file sets", () => {
  test.each([
    ["A=1\nB = 2\r\nexport C='x'\rD: yes", ["A", "B", "C", "D"]],
    ["\uFEFFA=1", ["A"]],
    ["A\n\n = 1\n\t export\tB=2", ["A", "B"]],
    ["# A=1\n  B=", ["B"]],
    ["A\nsay B=1", []],
    ["", []],
  ])("%j", (text, names) => {
    expect(namesInEnvFile(text)).toEqual(names);
  });

  test("are found in time in a file that is made to take long", () => {
    for (const filling of ["\n", " ", "\t\n", "a ", "export ", "export\n"]) {
      const text = filling.repeat(500_000 / filling.length);
      expect(namesInEnvFile(`${text}\nA=1`)).toEqual(["A"]);
    }
  });
});
