import { program } from "../../program.ts";

export default program({
  names: ["aws-nuke"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["**", "deletes everything in the account", { needs: "no-dry-run" }]],
  examples: {
    hit: ["aws-nuke -c config.yml --no-dry-run"],
    pass: ["aws-nuke -c nuke.yml"],
  },
});
