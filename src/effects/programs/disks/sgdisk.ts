import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["sgdisk"],
  kind: "format-device",
  values: "d n t R new delete typecode load-backup",
  rules: [
    onDevice("**", {
      needs: "Z z d o n g G t R zap zap-all clear delete new load-backup typecode",
      unless: "P pretend",
    }),
  ],
  examples: {
    hit: ["sgdisk /dev/sdb -Z"],
    pass: ["sgdisk /dev/sdb -Z --pretend"],
  },
});
