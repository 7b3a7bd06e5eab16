import { program } from "../../program.ts";

export default program({
  names: ["typeorm"],
  kind: "destroy-database",
  service: true,
  values: "d dataSource f config c connection",
  rules: [["schema:drop", "drops every table"]],
  sql: [{ after: "query" }],
  examples: {
    hit: ["typeorm schema:drop", "typeorm query 'DROP TABLE orders'"],
    pass: ["typeorm query 'SELECT 1'"],
  },
});
