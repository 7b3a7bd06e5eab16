import { program } from "../../program.ts";

export default program({
  names: ["db2"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: { dialect: {}, text: "", from: 0 },
  exceptNew: true,
  examples: {
    hit: ["db2 'DROP TABLE orders'"],
    pass: ["db2 'SELECT 1'"],
  },
});
