import { program } from "../../program.ts";

export default program({
  names: ["hadoop"],
  kind: "destroy-database",
  service: true,
  rules: [["dfs|fs", "deletes {}", { needs: "rm rmr rmdir skipTrash expunge" }]],
  examples: {
    hit: ["hadoop dfs web --rm"],
    pass: ["hadoop dfs web"],
  },
});
