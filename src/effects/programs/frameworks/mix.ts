import { program } from "../../program.ts";
import { PACKAGE, UNPUBLISH } from "../package-registries/phrases.ts";

export default program({
  names: ["mix"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  values: "r repo",
  rules: [
    ["ecto.drop|ecto.reset", "drops and recreates the database"],
    ["ecto.rollback", "reverts every migration, which drops the tables and their rows", { needs: "all" }],
    ["hex.publish", PACKAGE, { kind: "publish", unless: "revert dry-run" }],
    ["hex.retire", UNPUBLISH, { kind: "publish", unless: "dry-run" }],
  ],
  examples: {
    hit: ["mix ecto.drop", "mix ecto.reset", "mix hex.publish", "mix ecto.rollback --all", "mix hex.retire"],
    pass: ["mix ecto.migrate", "mix hex.info"],
  },
});
