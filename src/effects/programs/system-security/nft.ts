import { program } from "../../program.ts";

export default program({
  names: ["nft"],
  kind: "permission-blast",
  rules: [
    ["delete table|chain|ruleset", "deletes firewall rules"],
    ["flush", "deletes firewall rules", { target: { text: "firewall" } }],
  ],
  examples: {
    hit: ["nft delete table", "nft flush"],
    pass: ["nft list ruleset"],
  },
});
