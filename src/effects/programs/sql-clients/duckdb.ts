import { program } from "../../program.ts";

export default program({
  names: ["duckdb"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: { dialect: { meta: "." }, text: "cmd c s", from: 1, singleDash: true },
  exceptNew: true,
  examples: {
    hit: ["duckdb app.db 'DROP TABLE orders'"],
    pass: ["duckdb app.db 'SELECT 1'"],
  },
});
