import { program } from "../../program.ts";

export default program({
  names: ["cbq"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  sql: [{ option: "s script", stdin: true }],
  examples: {
    hit: ["cbq -s 'DROP TABLE orders'"],
    pass: ["cbq -s 'SELECT 1'"],
  },
});
