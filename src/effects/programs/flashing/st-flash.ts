import { program } from "../../program.ts";

export default program({
  names: ["st-flash"],
  kind: "format-device",
  service: true,
  rules: [["** erase", "erases the chip's memory"]],
  examples: {
    hit: ["st-flash erase"],
    pass: ["st-flash read dump.bin 0x8000000 0x1000"],
  },
});
