import { program } from "../../program.ts";

export default program({
  names: ["rke"],
  kind: "destroy-infrastructure",
  service: true,
  values: "config",
  rules: [["remove", "removes the cluster"]],
  examples: {
    hit: ["rke remove"],
    pass: ["rke up"],
  },
});
