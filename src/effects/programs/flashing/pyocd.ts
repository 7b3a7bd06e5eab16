import { program } from "../../program.ts";

export default program({
  names: ["pyocd"],
  kind: "format-device",
  service: true,
  rules: [["erase", "erases the chip's memory"]],
  examples: {
    hit: ["pyocd erase"],
    pass: ["pyocd list"],
  },
});
