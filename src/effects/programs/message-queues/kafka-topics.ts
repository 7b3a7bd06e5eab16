import { program } from "../../program.ts";

export default program({
  names: ["kafka-topics", "kafka-topics.sh"],
  kind: "destroy-database",
  service: true,
  rules: [["**", "deletes a topic with its messages", { needs: "delete" }]],
  examples: {
    hit: ["kafka-topics.sh --bootstrap-server b:9092 --delete --topic orders"],
    pass: ["kafka-topics.sh --bootstrap-server b:9092 --list"],
  },
});
