import { program } from "../../program.ts";
import { onDevice } from "../disks/device-rule.ts";

export default program({
  names: ["btrfs"],
  kind: "format-device",
  rules: [onDevice("** delete|del"), onDevice("**", { needs: "repair" })],
  examples: {
    hit: ["btrfs delete /dev/sdb", "btrfs /dev/sdb --repair"],
    pass: ["btrfs /dev/sdb"],
  },
});
