import { program } from "../../program.ts";

export default program({
  names: ["avrdude"],
  kind: "format-device",
  service: true,
  values: "c p P b B U C E x",
  dry: "n",
  rules: [["**", "erases the chip's memory", { needs: "e" }]],
  examples: {
    hit: ["avrdude -e"],
    pass: ["avrdude -c usbasp -p m328p -v"],
  },
});
