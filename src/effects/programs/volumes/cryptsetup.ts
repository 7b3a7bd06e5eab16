import { program } from "../../program.ts";
import { onDevice } from "../disks/device-rule.ts";

export default program({
  names: ["cryptsetup"],
  kind: "format-device",
  rules: [onDevice("** luksFormat|luksErase|erase|luksKillSlot|luksRemoveKey|reencrypt")],
  examples: {
    hit: ["cryptsetup luksFormat /dev/sdb"],
    pass: ["cryptsetup status x"],
  },
});
