import { program } from "../../program.ts";
import { onDevice } from "../disks/device-rule.ts";

export default program({
  names: ["mdadm"],
  kind: "format-device",
  rules: [onDevice("**", { needs: "zero-superblock create stop" })],
  examples: {
    hit: ["mdadm /dev/sdb --zero-superblock"],
    pass: ["mdadm /dev/sdb"],
  },
});
