import { program } from "../../program.ts";

export default program({
  names: ["typeorm-ts-node-commonjs"],
  kind: "destroy-database",
  service: true,
  rules: [["schema:drop", "drops every table"]],
  examples: {
    hit: ["typeorm-ts-node-commonjs schema:drop"],
    pass: ["typeorm-ts-node-commonjs migration:run"],
  },
});
