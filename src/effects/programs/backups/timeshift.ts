import { program } from "../../program.ts";

export default program({
  names: ["timeshift"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["**", "deletes or restores snapshots", { needs: "delete delete-all restore" }]],
  examples: {
    hit: ["timeshift --delete"],
    pass: ["timeshift --create"],
  },
});
