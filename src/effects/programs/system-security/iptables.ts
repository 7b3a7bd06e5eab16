import { program } from "../../program.ts";

export default program({
  names: ["iptables", "ip6tables", "iptables-legacy"],
  kind: "permission-blast",
  exempt: "their words are processes, services, accounts and files",
  rules: [["**", "deletes firewall rules", { needs: "F flush X delete-chain", target: { text: "firewall" } }]],
  examples: {
    hit: ["iptables -F"],
    pass: ["iptables -L -n"],
  },
});
