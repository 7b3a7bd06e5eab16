import { program } from "../../program.ts";

export default program({
  names: ["liquibase"],
  kind: "destroy-database",
  service: true,
  rules: [["** dropAll|drop-all", "drops everything in the schema"]],
  examples: {
    hit: ["liquibase dropAll"],
    pass: ["liquibase update"],
  },
});
