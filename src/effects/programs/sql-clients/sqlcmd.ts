import { program } from "../../program.ts";

export default program({
  names: ["sqlcmd"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: {
    dialect: { brackets: true },
    short: "S:U:P:d:Q:q:i:o:h:s:w:t:l:v:EIbCNGWkrx",
    long: "query: initial-query: input-file: server: database-name: user-name: password:",
    text: "Q q query initial-query",
    files: "i input-file",
  },
  exceptNew: true,
  examples: {
    hit: ["sqlcmd -Q 'DROP TABLE orders'"],
    pass: ["sqlcmd -Q 'SELECT 1'"],
  },
});
