import { program } from "../../program.ts";

export default program({
  names: ["flash_erase", "flash_eraseall", "flashcp", "ubiformat", "flash_unlock"],
  kind: "format-device",
  service: true,
  rules: [["*", "erases the flash device {}"]],
  examples: {
    hit: ["flash_erase web web"],
    pass: ["flash_erase --version"],
  },
});
