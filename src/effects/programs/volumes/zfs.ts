import { program } from "../../program.ts";
import { onDevice } from "../disks/device-rule.ts";

export default program({
  names: ["zfs"],
  kind: "format-device",
  service: true,
  values: "o x",
  rules: [
    onDevice("** destroy|rollback", { unless: "n" }),
    ["receive|recv", "rolls {} back to receive the stream", { needs: "F", unless: "n" }],
  ],
  examples: {
    hit: ["zfs receive -F tank/data", "zfs destroy /dev/sdb"],
    pass: ["zfs receive tank/data", "zfs receive -nF tank/data"],
  },
});
