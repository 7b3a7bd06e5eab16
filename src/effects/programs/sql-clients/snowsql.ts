import { program } from "../../program.ts";

export default program({
  names: ["snowsql"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: {
    dialect: { brackets: true },
    short: "q:f:a:u:d:s:w:r:c:o:",
    long: "query: filename:",
    text: "q query",
    files: "f filename",
  },
  exceptNew: true,
  examples: {
    hit: ["snowsql -q 'DROP TABLE orders'"],
    pass: ["snowsql -q 'SELECT 1'"],
  },
});
