import { program } from "../../program.ts";

export default program({
  names: ["ventoy", "Ventoy2Disk.sh"],
  kind: "format-device",
  service: true,
  rules: [["**", "writes over a disk", { needs: "i I" }]],
  examples: {
    hit: ["ventoy -i"],
    pass: ["ventoy"],
  },
});
