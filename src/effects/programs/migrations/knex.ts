import { program } from "../../program.ts";

export default program({
  names: ["knex"],
  kind: "destroy-database",
  service: true,
  values: "knexfile env",
  rules: [["migrate:rollback", "reverts every migration, which drops the tables and their rows", { needs: "all" }]],
  examples: {
    hit: ["knex migrate:rollback --all"],
    pass: ["knex migrate:rollback"],
  },
});
