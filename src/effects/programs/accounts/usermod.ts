import { program } from "../../program.ts";

export default program({
  names: ["usermod", "chage"],
  kind: "permission-blast",
  rules: [["** root", "changes who may log in as root", { target: "last" }]],
  examples: {
    hit: ["usermod -p x root"],
    pass: ["usermod -aG docker dev"],
  },
});
