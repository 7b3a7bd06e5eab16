import { program } from "../../program.ts";

export default program({
  names: ["tpm2_clear"],
  kind: "delete-tree",
  rules: [["**", "wipes the keys of this machine"]],
  examples: {
    hit: ["tpm2_clear"],
    pass: ["tpm2_clear --version"],
  },
});
