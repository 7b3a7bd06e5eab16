import { program } from "../../program.ts";

export default program({
  names: ["console"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  dry: "dump-sql",
  rules: [
    ["doctrine:database:drop|d:d:d", "drops the database", { needs: "force f" }],
    ["doctrine:schema:drop", "drops every table", { needs: "force f" }],
    ["doctrine:fixtures:load", "empties the database before it loads fixtures", { unless: "append" }],
  ],
  examples: {
    hit: [
      "console doctrine:database:drop --force",
      "console doctrine:schema:drop --force",
      "console doctrine:fixtures:load",
    ],
    pass: ["console doctrine:database:drop"],
  },
});
