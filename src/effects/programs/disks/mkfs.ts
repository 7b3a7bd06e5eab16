import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

/** A file that holds a file system is a file: only devices are asked about. */
export default program({
  names: ["mkfs"],
  kind: "format-device",
  rules: [onDevice("**", { target: "device-path", unless: "V n" })],
  examples: {
    hit: ["mkfs /dev/sdb"],
    pass: ["mkfs /dev/sdb -V"],
  },
});
