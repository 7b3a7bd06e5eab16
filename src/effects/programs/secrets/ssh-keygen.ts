import { program } from "../../program.ts";
import { replacedKeys } from "./replaced-keys.ts";

export default program({
  names: ["ssh-keygen"],
  kind: "overwrite",
  also: replacedKeys,
  examples: {
    hit: ["yes | ssh-keygen -f /home/u/.ssh/id_rsa"],
    pass: ["ssh-keygen -f /home/u/.ssh/id_rsa"],
  },
});
