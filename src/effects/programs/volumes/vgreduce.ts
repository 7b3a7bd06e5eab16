import { program } from "../../program.ts";

export default program({
  names: ["vgreduce"],
  kind: "format-device",
  service: true,
  dry: "test t",
  rules: [["*", "drops missing disks from {}", { needs: "removemissing" }]],
  examples: {
    hit: ["vgreduce web web --removemissing"],
    pass: ["vgreduce web web"],
  },
});
