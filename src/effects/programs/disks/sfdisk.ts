import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["sfdisk"],
  kind: "format-device",
  rules: [onDevice("**", { unless: "l d J n list dump json verify no-act" })],
  examples: {
    hit: ["sfdisk /dev/sdb"],
    pass: ["sfdisk /dev/sdb --list"],
  },
});
