import { program } from "../../program.ts";

export default program({
  names: ["auditctl"],
  kind: "permission-blast",
  rules: [["**", "deletes the audit rules", { needs: "D", target: "last" }]],
  examples: {
    hit: ["auditctl -D"],
    pass: ["auditctl -l"],
  },
});
