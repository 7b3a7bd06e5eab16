import { program } from "../../program.ts";

export default program({
  names: ["duplicacy"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run d",
  rules: [["prune", "deletes backups", { needs: "exclusive exhaustive a all" }]],
  examples: {
    hit: ["duplicacy prune --exclusive"],
    pass: ["duplicacy prune"],
  },
});
