import { program } from "../../program.ts";

export default program({
  names: ["journalctl"],
  kind: "delete-file",
  exempt: "what they remove is installed again",
  rules: [
    [
      "**",
      "deletes the system's log",
      { needs: "vacuum-size vacuum-time vacuum-files", target: { text: "the journal" } },
    ],
  ],
  examples: {
    hit: ["journalctl --vacuum-size"],
    pass: ["journalctl -u ssh"],
  },
});
