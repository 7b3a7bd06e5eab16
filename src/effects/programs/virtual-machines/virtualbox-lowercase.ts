import { program } from "../../program.ts";

export default program({
  names: ["vboxmanage"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["unregistervm", "deletes the machine {}", { needs: "delete delete-all" }]],
  examples: {
    hit: ["vboxmanage unregistervm web --delete"],
    pass: ["vboxmanage unregistervm web"],
  },
});
