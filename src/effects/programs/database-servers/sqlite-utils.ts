import { program } from "../../program.ts";

export default program({
  names: ["sqlite-utils"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  rules: [["drop-table|drop-view", "drops {}"]],
  sql: [{ after: "*" }],
  examples: {
    hit: ["sqlite-utils drop-table web", "sqlite-utils web 'DROP TABLE orders'"],
    pass: ["sqlite-utils app.db 'SELECT 1'"],
  },
});
