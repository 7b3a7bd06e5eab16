import { program } from "../../program.ts";

export default program({
  names: ["temporal"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["workflow|schedule|batch delete|terminate", "deletes {}"],
    ["operator namespace delete", "deletes the namespace {}"],
  ],
  examples: {
    hit: ["temporal operator namespace delete -n prod", "temporal workflow delete web"],
    pass: ["temporal operator namespace describe -n prod"],
  },
});
