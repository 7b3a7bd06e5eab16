import { program } from "../../program.ts";

export default program({
  names: ["craft"],
  kind: "destroy-database",
  service: true,
  rules: [["db/drop-all-tables|db/drop-table-prefix", "drops the tables of the site"]],
  examples: {
    hit: ["craft db/drop-all-tables"],
    pass: ["craft db/backup"],
  },
});
