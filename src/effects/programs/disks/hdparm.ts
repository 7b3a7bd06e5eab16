import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["hdparm"],
  kind: "format-device",
  rules: [
    onDevice("**", {
      needs:
        "security-erase security-erase-enhanced trim-sector-ranges trim-sector-ranges-stdin make-bad-sector write-sector",
    }),
  ],
  examples: {
    hit: ["hdparm /dev/sdb --security-erase"],
    pass: ["hdparm /dev/sdb"],
  },
});
