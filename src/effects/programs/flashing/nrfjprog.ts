import { program } from "../../program.ts";

export default program({
  names: ["nrfjprog"],
  kind: "format-device",
  service: true,
  values: "f s",
  rules: [["**", "erases the chip's memory", { needs: "eraseall recover e" }]],
  examples: {
    hit: ["nrfjprog --eraseall"],
    pass: ["nrfjprog --readregs"],
  },
});
