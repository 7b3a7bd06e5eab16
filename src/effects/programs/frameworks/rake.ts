import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";
import { RAILS_RULES } from "./rails-tasks.ts";

export default program({
  names: ["rake"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  dry: "n dry-run T tasks P prereqs",
  rules: [...RAILS_RULES, ["release|release:*", PACKAGE, { kind: "publish" }]],
  examples: {
    hit: ["rake db:dropx", "rake web db:dropx", "rake release"],
    pass: ["rake -T db:drop"],
  },
});
