import { program } from "../../program.ts";

export default program({
  names: ["kopia"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["snapshot|snap|repository|policy delete|remove|rm", "deletes {}", { needs: "delete" }]],
  examples: {
    hit: ["kopia snapshot delete web --delete"],
    pass: ["kopia snapshot delete web"],
  },
});
