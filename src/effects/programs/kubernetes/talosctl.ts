import { program } from "../../program.ts";

export default program({
  names: ["talosctl", "k0s", "microk8s"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["reset", "wipes the cluster's state"]],
  examples: {
    hit: ["talosctl reset"],
    pass: ["talosctl health"],
  },
});
