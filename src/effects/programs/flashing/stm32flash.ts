import { program } from "../../program.ts";

export default program({
  names: ["stm32flash"],
  kind: "format-device",
  service: true,
  rules: [["**", "erases the chip's memory", { needs: "o" }]],
  examples: {
    hit: ["stm32flash -o"],
    pass: ["stm32flash -r dump.bin /dev/ttyUSB0"],
  },
});
