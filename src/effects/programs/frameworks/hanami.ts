import { program } from "../../program.ts";

export default program({
  names: ["hanami"],
  kind: "destroy-database",
  exempt: "their words are tasks of the project",
  rules: [["db drop|reset", "drops and recreates the database"]],
  examples: {
    hit: ["hanami db drop"],
    pass: ["hanami db migrate"],
  },
});
