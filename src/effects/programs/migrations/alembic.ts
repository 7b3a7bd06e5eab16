import { program } from "../../program.ts";

export default program({
  names: ["alembic"],
  kind: "destroy-database",
  service: true,
  values: "c config n name x",
  dry: "sql",
  rules: [["downgrade base", "reverts every migration, which drops the tables and their rows"]],
  examples: {
    hit: ["alembic downgrade base"],
    pass: ["alembic upgrade head", "alembic downgrade -1", "alembic downgrade base --sql", "alembic history"],
  },
});
