import { program } from "../../program.ts";

export default program({
  names: ["convex"],
  kind: "destroy-database",
  service: true,
  rules: [["import", "replaces the rows of a table with those of the file", { needs: "replace replace-all" }]],
  examples: {
    hit: ["convex import --replace"],
    pass: ["convex import"],
  },
});
