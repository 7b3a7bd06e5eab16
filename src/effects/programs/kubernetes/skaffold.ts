import { program } from "../../program.ts";

export default program({
  names: ["skaffold"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run",
  rules: [["delete", "deletes what was deployed"]],
  examples: {
    hit: ["skaffold delete"],
    pass: ["skaffold delete --dry-run"],
  },
});
