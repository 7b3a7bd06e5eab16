import { program } from "../../program.ts";
import { surrealStatements } from "./surreal-statements.ts";

export default program({
  names: ["surreal"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  also: surrealStatements,
  examples: {
    hit: ["echo 'REMOVE TABLE orders' | surreal sql"],
    pass: ["echo 'SELECT * FROM orders' | surreal sql"],
  },
});
