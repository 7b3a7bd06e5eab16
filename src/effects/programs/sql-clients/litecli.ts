import { program } from "../../program.ts";

export default program({
  names: ["litecli"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: { dialect: { meta: "." }, short: "e:D:", long: "execute: database:", text: "e execute" },
  exceptNew: true,
  examples: {
    hit: ["litecli -e 'DROP TABLE orders'"],
    pass: ["litecli -e 'SELECT 1'"],
  },
});
