import { program } from "../../program.ts";

export default program({
  names: ["lxc-destroy"],
  kind: "destroy-infrastructure",
  service: true,
  values: "n name P lxcpath",
  rules: [["**", "destroys a container with its data"]],
  examples: {
    hit: ["lxc-destroy"],
    pass: ["lxc-destroy --version"],
  },
});
