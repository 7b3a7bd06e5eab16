import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["conan", "luarocks", "anaconda", "stack"],
  kind: "publish",
  exempt: "their words are packages",
  dry: "dry-run",
  rules: [["upload", PACKAGE]],
  examples: {
    hit: ["conan upload"],
    pass: ["conan upload --dry-run"],
  },
});
