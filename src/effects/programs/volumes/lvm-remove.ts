import { program } from "../../program.ts";
import { onDevice } from "../disks/device-rule.ts";

export default program({
  names: ["lvremove", "vgremove", "pvremove"],
  kind: "format-device",
  rules: [onDevice("**", { unless: "t test" })],
  examples: {
    hit: ["lvremove /dev/sdb"],
    pass: ["lvremove /dev/sdb --test"],
  },
});
