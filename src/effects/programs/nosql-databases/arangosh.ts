import { program } from "../../program.ts";
import { arangoTexts } from "./shell-texts.ts";

export default program({
  names: ["arangosh"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  also: arangoTexts,
  examples: {
    hit: ["arangosh --javascript.execute-string 'db.orders.drop()'"],
    pass: ["arangosh --javascript.execute-string 'db.orders.count()'"],
  },
});
