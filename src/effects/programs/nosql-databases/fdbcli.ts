import { program } from "../../program.ts";
import { foundationTexts } from "./shell-texts.ts";

export default program({
  names: ["fdbcli"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  also: foundationTexts,
  examples: {
    hit: ["fdbcli --exec 'clearrange a b'"],
    pass: ["fdbcli --exec status"],
  },
});
