import { program } from "../../program.ts";

export default program({
  names: ["ipset"],
  kind: "delete-tree",
  rules: [["destroy|flush", "deletes the address sets of the firewall", { kind: "permission-blast" }]],
  examples: {
    hit: ["ipset destroy"],
    pass: ["ipset list"],
  },
});
