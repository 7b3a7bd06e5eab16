import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";
import { addressedScript, behind } from "./foreign-code.ts";

export default program({
  names: ["deno"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  dry: "dry-run",
  rules: [["publish", PACKAGE]],
  also: behind("run eval install x test serve", addressedScript),
  examples: {
    hit: ["deno publish", "deno run https://code.example/x.ts"],
    pass: ["deno publish --dry-run", "deno run main.ts"],
  },
});
