import { program } from "../../program.ts";

export default program({
  names: ["lvconvert"],
  kind: "format-device",
  service: true,
  dry: "test t",
  rules: [["*", "rolls the volume back to {}", { needs: "merge mergesnapshot" }]],
  examples: {
    hit: ["lvconvert web web --merge"],
    pass: ["lvconvert web web"],
  },
});
