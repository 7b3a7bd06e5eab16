import { program } from "../../program.ts";

export default program({
  names: ["firewall-cmd"],
  kind: "permission-blast",
  rules: [
    [
      "**",
      "changes the firewall rules for connections",
      { needs: "panic-on complete-reload remove-service=ssh", target: "last" },
    ],
  ],
  examples: {
    hit: ["firewall-cmd --panic-on"],
    pass: ["firewall-cmd --list-all"],
  },
});
