import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["blkdiscard", "cfdisk"],
  kind: "format-device",
  rules: [onDevice("**")],
  examples: {
    hit: ["blkdiscard /dev/sdb"],
    pass: ["blkdiscard --version"],
  },
});
