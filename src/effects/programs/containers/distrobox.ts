import { program } from "../../program.ts";

export default program({
  names: ["distrobox", "toolbox"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["rm", "removes {}", { needs: "f force a all" }]],
  examples: {
    hit: ["distrobox rm web -f"],
    pass: ["distrobox rm web"],
  },
});
