import { program } from "../../program.ts";

export default program({
  names: ["encore"],
  kind: "destroy-database",
  service: true,
  rules: [["db reset|drop", "drops and recreates the database"]],
  examples: {
    hit: ["encore db reset"],
    pass: ["encore run"],
  },
});
