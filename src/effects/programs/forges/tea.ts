import { program } from "../../program.ts";

export default program({
  names: ["tea"],
  kind: "publish",
  dry: "dry-run",
  rules: [["repo|repos delete|rm", "deletes the repository {}", { kind: "destroy-infrastructure" }]],
  examples: {
    hit: ["tea repo delete web"],
    pass: ["tea repo delete web --dry-run"],
  },
});
