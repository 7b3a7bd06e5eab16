import { program } from "../../program.ts";
import { mysqlShellTexts } from "./mysql-shell-texts.ts";

export default program({
  names: ["mysqlsh"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  also: mysqlShellTexts,
  examples: {
    hit: ["mysqlsh --sql -e 'DROP TABLE orders'", "mysqlsh --js -e 'session.dropSchema(\"shop\")'"],
    pass: ["mysqlsh --js -e 'session.getSchemas()'"],
  },
});
