import { program } from "../../program.ts";

export default program({
  names: ["salt-key"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["**", "deletes keys of machines", { needs: "D delete-all d delete" }]],
  examples: {
    hit: ["salt-key -D"],
    pass: ["salt-key -L"],
  },
});
