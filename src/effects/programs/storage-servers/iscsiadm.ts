import { program } from "../../program.ts";

export default program({
  names: ["iscsiadm"],
  kind: "destroy-infrastructure",
  service: true,
  values: "m mode o op T p",
  rules: [["**", "removes a target", { needs: "op=delete o=delete" }]],
  examples: {
    hit: ["iscsiadm --op=delete"],
    pass: ["iscsiadm -m node"],
  },
});
