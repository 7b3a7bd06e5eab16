import { program } from "../../program.ts";

export default program({
  names: ["scrub"],
  kind: "format-device",
  service: true,
  values: "p pattern s device-size",
  rules: [["*", "wipes {}"]],
  examples: {
    hit: ["scrub web web"],
    pass: ["scrub --version"],
  },
});
