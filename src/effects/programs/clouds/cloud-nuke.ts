import { program } from "../../program.ts";

export default program({
  names: ["cloud-nuke"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run",
  rules: [["aws|gcp", "deletes everything in the account"]],
  examples: {
    hit: ["cloud-nuke aws --force"],
    pass: ["cloud-nuke aws --force --dry-run"],
  },
});
