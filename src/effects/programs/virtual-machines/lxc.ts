import { program } from "../../program.ts";

export default program({
  names: ["lxc", "incus"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["delete|rm", "deletes {}"],
    ["storage volume delete|rm", "deletes {}"],
  ],
  examples: {
    hit: ["lxc delete c1 --force", "lxc storage volume delete web"],
    pass: ["lxc stop web"],
  },
});
