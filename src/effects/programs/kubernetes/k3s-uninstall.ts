import { program } from "../../program.ts";

export default program({
  names: ["k3s-uninstall.sh"],
  kind: "destroy-infrastructure",
  service: true,
  options: {},
  rules: [["**", "uninstalls the cluster with its data"]],
  examples: {
    hit: ["k3s-uninstall.sh"],
    pass: ["k3s-uninstall.sh --version"],
  },
});
