import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["nvme"],
  kind: "format-device",
  rules: [onDevice("** format|sanitize|write-zeroes|dsm")],
  examples: {
    hit: ["nvme format /dev/sdb"],
    pass: ["nvme smart-log /dev/nvme0"],
  },
});
