import { program } from "../../program.ts";

export default program({
  names: ["atlas"],
  kind: "destroy-database",
  service: true,
  rules: [["schema clean", "drops everything in the schema"]],
  examples: {
    hit: ["atlas schema clean"],
    pass: ["atlas schema inspect"],
  },
});
