import { program } from "../../program.ts";

export default program({
  names: ["efibootmgr"],
  kind: "delete-tree",
  rules: [["**", "removes a boot entry of the machine", { needs: "B delete-bootnum", target: "last" }]],
  examples: {
    hit: ["efibootmgr -B"],
    pass: ["efibootmgr -v"],
  },
});
