import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["newfs"],
  kind: "format-device",
  rules: [onDevice("**", { target: "device-path", unless: "N" })],
  examples: {
    hit: ["newfs /dev/sdb"],
    pass: ["newfs /dev/sdb -N"],
  },
});
