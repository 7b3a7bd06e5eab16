import { program } from "../../program.ts";

export default program({
  names: ["pg_resetwal"],
  kind: "destroy-database",
  service: true,
  rules: [["**", "deletes the write-ahead log of the database", { unless: "n dry-run" }]],
  examples: {
    hit: ["pg_resetwal"],
    pass: ["pg_resetwal --dry-run"],
  },
});
