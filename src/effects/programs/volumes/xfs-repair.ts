import { program } from "../../program.ts";
import { onDevice } from "../disks/device-rule.ts";

export default program({
  names: ["xfs_repair"],
  kind: "format-device",
  rules: [onDevice("**", { needs: "L" })],
  examples: {
    hit: ["xfs_repair /dev/sdb -L"],
    pass: ["xfs_repair /dev/sdb"],
  },
});
