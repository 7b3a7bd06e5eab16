import { program } from "../../program.ts";
import { onDevice } from "../disks/device-rule.ts";

export default program({
  names: ["tmutil"],
  kind: "format-device",
  rules: [onDevice("** delete|deletelocalsnapshots")],
  examples: {
    hit: ["tmutil delete /dev/sdb"],
    pass: ["tmutil listbackups"],
  },
});
