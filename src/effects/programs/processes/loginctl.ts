import { program } from "../../program.ts";
import { powerOff } from "./power-off.ts";

export default program({
  names: ["loginctl"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  rules: [
    [
      "terminate-user|terminate-session|terminate-seat|kill-user|kill-session|kill-seat",
      "ends every process of a user",
      { instead: "end single processes by their process id" },
    ],
  ],
  also: powerOff,
  examples: {
    hit: ["loginctl poweroff", "loginctl terminate-user"],
    pass: ["loginctl list-sessions"],
  },
});
