import { program } from "../../program.ts";

export default program({
  names: ["rpi-imager"],
  kind: "format-device",
  service: true,
  rules: [["**", "writes over a disk", { needs: "cli" }]],
  examples: {
    hit: ["rpi-imager --cli"],
    pass: ["rpi-imager"],
  },
});
