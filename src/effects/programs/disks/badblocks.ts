import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["badblocks"],
  kind: "format-device",
  rules: [onDevice("**", { needs: "w" })],
  examples: {
    hit: ["badblocks /dev/sdb -w"],
    pass: ["badblocks /dev/sdb"],
  },
});
