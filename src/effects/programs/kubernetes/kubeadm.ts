import { program } from "../../program.ts";

export default program({
  names: ["kubeadm"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run",
  rules: [["reset", "removes this machine from its cluster"]],
  examples: {
    hit: ["kubeadm reset -f"],
    pass: ["kubeadm reset -f --dry-run"],
  },
});
