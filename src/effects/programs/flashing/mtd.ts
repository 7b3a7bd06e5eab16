import { program } from "../../program.ts";

export default program({
  names: ["mtd"],
  kind: "format-device",
  service: true,
  rules: [["erase|write", "erases the flash device {}"]],
  examples: {
    hit: ["mtd erase web"],
    pass: ["mtd verify firmware.bin"],
  },
});
