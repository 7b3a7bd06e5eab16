import { program } from "../../program.ts";

export default program({
  names: ["sqlite3"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: { dialect: { meta: "." }, text: "cmd", from: 1, singleDash: true },
  exceptNew: true,
  examples: {
    hit: ["sqlite3 app.db 'DROP TABLE orders'"],
    pass: ["sqlite3 app.db 'SELECT 1'"],
  },
});
