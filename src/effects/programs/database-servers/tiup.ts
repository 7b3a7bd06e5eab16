import { program } from "../../program.ts";

export default program({
  names: ["tiup"],
  kind: "destroy-database",
  service: true,
  rules: [["cluster|playground destroy|clean", "destroys the cluster {}"]],
  examples: {
    hit: ["tiup cluster destroy web"],
    pass: ["tiup cluster display shop"],
  },
});
