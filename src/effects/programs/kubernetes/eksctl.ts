import { program } from "../../program.ts";

export default program({
  names: ["eksctl"],
  kind: "destroy-infrastructure",
  service: true,
  values: "f config-file region profile",
  dry: "dry-run",
  rules: [["delete", "deletes {}"], ["drain"]],
  examples: {
    hit: ["eksctl delete cluster --name c", "eksctl delete nodegroup --cluster c --name n"],
    pass: ["eksctl get cluster", "eksctl drain"],
  },
});
