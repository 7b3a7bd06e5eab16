import { program } from "../../program.ts";

export default program({
  names: ["arangorestore"],
  kind: "destroy-database",
  service: true,
  rules: [["**", "replaces collections", { needs: "overwrite create-database" }]],
  examples: {
    hit: ["arangorestore --overwrite"],
    pass: ["arangorestore --input-directory dump"],
  },
});
