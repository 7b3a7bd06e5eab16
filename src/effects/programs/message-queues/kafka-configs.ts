import { program } from "../../program.ts";

export default program({
  names: ["kafka-consumer-groups", "kafka-consumer-groups.sh", "kafka-configs", "kafka-configs.sh"],
  kind: "destroy-database",
  service: true,
  values: "bootstrap-server zookeeper topic group entity-type entity-name add-config",
  rules: [
    ["**", "deletes a topic with its messages", { needs: "delete" }],
    [
      "**",
      "shortens how long a topic keeps its messages",
      { needs: "add-config=retention.ms=1 add-config=retention.ms=0 add-config=retention.ms=1000" },
    ],
  ],
  examples: {
    hit: ["kafka-consumer-groups --delete", "kafka-consumer-groups --add-config=retention.ms"],
    pass: ["kafka-consumer-groups"],
  },
});
