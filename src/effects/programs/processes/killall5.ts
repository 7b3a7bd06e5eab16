import { program } from "../../program.ts";

export default program({
  names: ["killall5"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  options: {},
  rules: [["**", "ends every process", { instead: "end single processes by their process id" }]],
  examples: {
    hit: ["killall5"],
    pass: ["killall5 --version"],
  },
});
