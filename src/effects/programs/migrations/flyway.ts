import { program } from "../../program.ts";

export default program({
  names: ["flyway"],
  kind: "destroy-database",
  service: true,
  values: "url user password",
  rules: [["** clean", "drops everything in the schemas"]],
  examples: {
    hit: ["flyway -url=jdbc:x clean"],
    pass: ["flyway info", "flyway migrate"],
  },
});
