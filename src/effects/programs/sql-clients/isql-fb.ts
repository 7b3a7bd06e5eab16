import { program } from "../../program.ts";

export default program({
  names: ["isql-fb"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  sql: [{ stdin: "only" }],
  examples: {
    hit: ["echo 'DROP TABLE orders' | isql-fb"],
    pass: ["echo 'SELECT 1' | isql-fb"],
  },
});
