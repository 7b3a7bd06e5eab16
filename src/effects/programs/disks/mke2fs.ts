import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["mke2fs", "mkntfs"],
  kind: "format-device",
  rules: [onDevice("**", { target: "device-path", unless: "n" })],
  examples: {
    hit: ["mke2fs /dev/sdb"],
    pass: ["mke2fs /dev/sdb -n"],
  },
});
