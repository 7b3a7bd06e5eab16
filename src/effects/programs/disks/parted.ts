import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["parted"],
  kind: "format-device",
  rules: [onDevice("** mklabel|mktable|mkpart|rm|resizepart|rescue")],
  examples: {
    hit: ["parted mklabel /dev/sdb"],
    pass: ["parted /dev/sdb print"],
  },
});
