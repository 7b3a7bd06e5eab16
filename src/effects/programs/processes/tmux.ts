import { program } from "../../program.ts";

export default program({
  names: ["tmux"],
  kind: "kill-everything",
  rules: [
    [
      "** kill-server",
      "ends every tmux session of this server",
      { target: "last", instead: "end single processes by their process id" },
    ],
  ],
  examples: {
    hit: ["tmux kill-server"],
    pass: ["tmux kill-session -t destroy"],
  },
});
