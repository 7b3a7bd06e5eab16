import { program } from "../../program.ts";

export default program({
  names: ["cqlsh", "ycqlsh"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: {
    dialect: {},
    short: "e:f:k:u:p:C",
    long: "execute: file: keyspace: username: password: ssl",
    text: "e execute",
    files: "f file",
  },
  exceptNew: true,
  examples: {
    hit: ["cqlsh -e 'DROP TABLE orders'"],
    pass: ["cqlsh -e 'SELECT 1'"],
  },
});
