import { program } from "../../program.ts";

export default program({
  names: ["helmfile"],
  kind: "destroy-infrastructure",
  service: true,
  values: "e environment f file l selector n namespace",
  rules: [["destroy|delete", "uninstalls every release"]],
  examples: {
    hit: ["helmfile destroy"],
    pass: ["helmfile diff"],
  },
});
