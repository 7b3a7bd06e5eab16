import { program } from "../../program.ts";

export default program({
  names: ["virsh"],
  kind: "destroy-infrastructure",
  service: true,
  values: "c connect pool",
  rules: [
    ["undefine", "removes the machine {} with its disks", { needs: "remove-all-storage storage" }],
    ["vol-delete|vol-wipe|pool-delete|snapshot-delete|snapshot-revert|checkpoint-delete", "removes {}"],
    ["destroy", "powers {} off without a shutdown"],
  ],
  examples: {
    hit: ["virsh undefine vm --remove-all-storage", "virsh vol-delete web", "virsh destroy web"],
    pass: ["virsh list --all"],
  },
});
