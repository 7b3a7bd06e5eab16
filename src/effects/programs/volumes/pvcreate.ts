import { program } from "../../program.ts";
import { onDevice } from "../disks/device-rule.ts";

export default program({
  names: ["pvcreate"],
  kind: "format-device",
  rules: [onDevice("**", { needs: "ff ffy yff force", unless: "t test" })],
  examples: {
    hit: ["pvcreate /dev/sdb --ff"],
    pass: ["pvcreate /dev/sdb --ff --test"],
  },
});
