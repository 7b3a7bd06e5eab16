import { program } from "../../program.ts";
import { killedByName } from "./killed-by-name.ts";

export default program({
  names: ["pkill", "killall", "skill"],
  kind: "kill-everything",
  exempt: "their words are processes, services, accounts and files",
  also: killedByName,
  examples: {
    hit: ["pkill -9 .", "killall sshd"],
    pass: ["pkill -f 'vite dev'"],
  },
});
