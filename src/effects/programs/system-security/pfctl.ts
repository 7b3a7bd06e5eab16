import { program } from "../../program.ts";

export default program({
  names: ["pfctl"],
  kind: "permission-blast",
  rules: [["**", "deletes firewall rules", { needs: "d F", target: "last" }]],
  examples: {
    hit: ["pfctl -d"],
    pass: ["pfctl -s rules"],
  },
});
