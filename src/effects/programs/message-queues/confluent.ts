import { program } from "../../program.ts";

export default program({
  names: ["confluent"],
  kind: "destroy-database",
  service: true,
  rules: [["** delete", "deletes {}"]],
  examples: {
    hit: ["confluent delete web"],
    pass: ["confluent kafka topic list"],
  },
});
