import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["gdisk"],
  kind: "format-device",
  rules: [onDevice("**", { unless: "l" })],
  examples: {
    hit: ["gdisk /dev/sdb"],
    pass: ["gdisk /dev/sdb -l"],
  },
});
