import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["asr"],
  kind: "format-device",
  rules: [onDevice("**", { needs: "erase" })],
  examples: {
    hit: ["asr /dev/sdb --erase"],
    pass: ["asr /dev/sdb"],
  },
});
