import { program } from "../../program.ts";

export default program({
  names: ["pt-archiver"],
  kind: "destroy-database",
  exempt: "they take options and files, no subcommands",
  values: "source where limit",
  rules: [["**", "deletes rows", { needs: "purge", unless: "dry-run" }]],
  examples: {
    hit: ["pt-archiver --purge"],
    pass: ["pt-archiver --purge --dry-run"],
  },
});
