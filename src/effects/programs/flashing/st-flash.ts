import { program } from "../../program.ts";

export default program({
  names: ["st-flash"],
  kind: "format-device",
  service: true,
  rules: [["** erase", "erases the chip's memory"]],
  examples: {
    hit: ["st-flash erase"],
    pass: ["st-flash list"],
  },
});
