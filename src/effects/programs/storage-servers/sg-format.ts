import { program } from "../../program.ts";

export default program({
  names: ["sg_format"],
  kind: "format-device",
  service: true,
  rules: [["**", "formats {}", { needs: "format F" }]],
  examples: {
    hit: ["sg_format web --format"],
    pass: ["sg_format web"],
  },
});
