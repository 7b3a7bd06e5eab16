import { program } from "../../program.ts";

export default program({
  names: ["ceph-volume"],
  kind: "format-device",
  service: true,
  rules: [["** zap", "wipes {}"]],
  examples: {
    hit: ["ceph-volume zap web"],
    pass: ["ceph-volume lvm list"],
  },
});
