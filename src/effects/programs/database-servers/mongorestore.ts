import { program } from "../../program.ts";

export default program({
  names: ["mongorestore"],
  kind: "destroy-database",
  exempt: "they take options and files, no subcommands",
  rules: [["**", "drops the collections it restores", { needs: "drop", unless: "dryRun" }]],
  examples: {
    hit: ["mongorestore --drop dump/"],
    pass: ["mongorestore dump/"],
  },
});
