import { program } from "../../program.ts";

export default program({
  names: ["nwipe"],
  kind: "format-device",
  service: true,
  rules: [["**", "wipes disks", { needs: "autonuke nowait" }]],
  examples: {
    hit: ["nwipe --autonuke"],
    pass: ["nwipe --nousb"],
  },
});
