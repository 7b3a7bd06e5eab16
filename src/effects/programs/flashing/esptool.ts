import { program } from "../../program.ts";

export default program({
  names: ["esptool", "esptool.py", "esptool.exe"],
  kind: "format-device",
  service: true,
  values: "p port b baud c chip before after",
  rules: [["erase_flash|erase-flash|erase_region|erase-region", "erases the chip's memory"]],
  examples: {
    hit: ["esptool erase_flash"],
    pass: ["esptool.py chip_id"],
  },
});
