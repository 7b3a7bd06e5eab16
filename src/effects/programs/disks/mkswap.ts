import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["mkswap", "mkdosfs", "mkexfatfs", "mkfatfs", "newfs_msdos"],
  kind: "format-device",
  rules: [onDevice("**", { target: "device-path" })],
  examples: {
    hit: ["mkswap /dev/sdb"],
    pass: ["mkswap swapfile"],
  },
});
