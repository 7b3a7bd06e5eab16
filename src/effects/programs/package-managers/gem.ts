import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "../package-registries/phrases.ts";
import { addressedCode, behind } from "./foreign-code.ts";

export default program({
  names: ["gem"],
  kind: "publish",
  values: "k key host",
  dry: "dry-run",
  rules: [
    ["push", PACKAGE],
    ["yank", UNPUBLISH],
    ["owner", "removes an owner of {}", { needs: "r remove" }],
  ],
  also: behind("specific_install git_install", addressedCode),
  registry: { option: /^--host$/ },
  examples: {
    hit: [
      "gem push a-1.0.gem",
      "gem yank a -v 1.0",
      "gem owner shop -r a@example.com",
      "gem push a-1.0.gem --host https://rubygems.org",
      "gem specific_install https://git.example/tool",
    ],
    pass: [
      "gem build a.gemspec",
      "gem list",
      "gem push a.gem --host http://localhost:9292",
      "gem owner shop -a a@example.com",
      "gem push a-1.0.gem --host http://localhost:9292",
      "gem install rails",
    ],
  },
});
