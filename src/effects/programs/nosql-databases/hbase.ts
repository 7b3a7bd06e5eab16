import { program } from "../../program.ts";
import { hbaseTexts } from "./shell-texts.ts";

export default program({
  names: ["hbase"],
  kind: "destroy-database",
  exempt: "every word is a statement or the name of a database, and is read as such",
  also: hbaseTexts,
  examples: {
    hit: ["echo \"drop 'orders'\" | hbase shell"],
    pass: ['echo "list" | hbase shell'],
  },
});
