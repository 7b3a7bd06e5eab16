import { program } from "../../program.ts";

export default program({
  names: ["slay"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  options: {},
  rules: [["**", "ends every process of a user", { instead: "end single processes by their process id" }]],
  examples: {
    hit: ["slay"],
    pass: ["slay --version"],
  },
});
