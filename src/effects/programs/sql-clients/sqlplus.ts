import { program } from "../../program.ts";

export default program({
  names: ["sqlplus"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  client: { dialect: {}, text: "" },
  exceptNew: true,
  examples: {
    hit: ["echo 'DROP TABLE orders' | sqlplus"],
    pass: ["echo 'SELECT 1' | sqlplus"],
  },
});
