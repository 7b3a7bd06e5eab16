import { program } from "../../program.ts";

export default program({
  names: ["qm", "pct"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["rollback|delsnapshot", "removes a saved state of {}"],
    ["disk unlink", "removes a disk of {}", { needs: "force" }],
    ["destroy", "destroys the machine {}"],
  ],
  examples: {
    hit: ["qm rollback web", "qm disk unlink web --force", "qm destroy web"],
    pass: ["qm disk unlink web"],
  },
});
