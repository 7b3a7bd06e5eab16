import { program } from "../../program.ts";

export default program({
  names: ["megacli", "MegaCli", "MegaCli64"],
  kind: "format-device",
  service: true,
  rules: [["**", "removes a disk array", { needs: "CfgLdDel CfgClr LDInit" }]],
  examples: {
    hit: ["megacli --CfgLdDel"],
    pass: ["megacli -LDInfo -Lall -aALL"],
  },
});
