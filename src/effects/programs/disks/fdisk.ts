import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["fdisk"],
  kind: "format-device",
  rules: [onDevice("**", { unless: "l list s" })],
  examples: {
    hit: ["fdisk /dev/sdb"],
    pass: ["fdisk /dev/sdb --list"],
  },
});
