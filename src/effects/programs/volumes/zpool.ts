import { program } from "../../program.ts";
import { onDevice } from "../disks/device-rule.ts";

export default program({
  names: ["zpool"],
  kind: "format-device",
  service: true,
  values: "o O m R t",
  rules: [
    onDevice("** destroy|labelclear"),
    ["create|add|replace|attach", "uses disks by force although they may hold data: {}", { needs: "f", unless: "n" }],
  ],
  examples: {
    hit: ["zpool create -f tank /dev/sdb", "zpool destroy /dev/sdb"],
    pass: ["zpool create tank /dev/sdb"],
  },
});
