import { program } from "../../program.ts";

export default program({
  names: ["vgcfgrestore"],
  kind: "format-device",
  service: true,
  values: "f file",
  dry: "test t list l",
  rules: [["*", "replaces the volume table of {}"]],
  examples: {
    hit: ["vgcfgrestore web web"],
    pass: ["vgcfgrestore web web --test"],
  },
});
