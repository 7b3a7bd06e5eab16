import { program } from "../../program.ts";

export default program({
  names: ["hdfs"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["namenode", "formats the file system", { needs: "format" }],
    ["dfs|fs", "deletes {}", { needs: "rm rmr rmdir skipTrash expunge" }],
  ],
  examples: {
    hit: ["hdfs namenode --format", "hdfs dfs web --rm"],
    pass: ["hdfs namenode"],
  },
});
