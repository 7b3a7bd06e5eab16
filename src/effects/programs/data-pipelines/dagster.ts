import { program } from "../../program.ts";

export default program({
  names: ["dagster"],
  kind: "destroy-database",
  service: true,
  rules: [
    ["run wipe|delete", "deletes runs"],
    ["asset wipe|wipe-partitions-status-cache", "deletes the records of assets"],
  ],
  examples: {
    hit: ["dagster run wipe", "dagster asset wipe"],
    pass: ["dagster run list"],
  },
});
