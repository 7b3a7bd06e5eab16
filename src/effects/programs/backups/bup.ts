import { program } from "../../program.ts";

export default program({
  names: ["bup"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "n dry-run",
  rules: [["rm|prune-older", "deletes backups of {}"], ["gc"]],
  examples: {
    hit: ["bup rm web"],
    pass: ["bup gc"],
  },
});
