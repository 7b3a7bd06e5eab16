import { program } from "../../program.ts";

export default program({
  names: ["qemu-img"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["snapshot", "deletes a snapshot", { needs: "d" }]],
  examples: {
    hit: ["qemu-img snapshot -d"],
    pass: ["qemu-img snapshot"],
  },
});
