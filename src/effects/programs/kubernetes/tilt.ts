import { program } from "../../program.ts";

export default program({
  names: ["tilt"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["down", "stops and deletes everything that it started", { needs: "delete-namespaces" }]],
  examples: {
    hit: ["tilt down --delete-namespaces"],
    pass: ["tilt down"],
  },
});
