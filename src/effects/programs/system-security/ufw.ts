import { program } from "../../program.ts";

export default program({
  names: ["ufw"],
  kind: "permission-blast",
  exempt: "their words are processes, services, accounts and files",
  rules: [["** disable|reset", "deletes firewall rules", { target: { text: "firewall" } }]],
  examples: {
    hit: ["ufw disable"],
    pass: ["ufw status", "ufw allow 22"],
  },
});
