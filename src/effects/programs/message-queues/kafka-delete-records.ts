import { program } from "../../program.ts";

export default program({
  names: ["kafka-delete-records", "kafka-delete-records.sh"],
  kind: "destroy-database",
  service: true,
  rules: [["**", "deletes messages", { needs: "offset-json-file" }]],
  examples: {
    hit: ["kafka-delete-records --offset-json-file"],
    pass: ["kafka-delete-records"],
  },
});
