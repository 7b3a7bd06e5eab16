import { program } from "../../program.ts";

export default program({
  names: ["sqlx"],
  kind: "destroy-database",
  service: true,
  rules: [["database drop|reset", "drops and recreates the database"]],
  examples: {
    hit: ["sqlx database drop"],
    pass: ["sqlx database create"],
  },
});
