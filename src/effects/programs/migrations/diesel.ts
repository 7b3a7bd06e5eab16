import { program } from "../../program.ts";

export default program({
  names: ["diesel"],
  kind: "destroy-database",
  service: true,
  rules: [["database reset|drop", "drops and recreates the database"]],
  examples: {
    hit: ["diesel database reset"],
    pass: ["diesel migration run"],
  },
});
