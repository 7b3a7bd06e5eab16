import { program } from "../../program.ts";
import { onDevice } from "./device-rule.ts";

export default program({
  names: ["wipefs"],
  kind: "format-device",
  rules: [onDevice("**", { needs: "a o all offset", unless: "n no-act" })],
  examples: {
    hit: ["wipefs /dev/sdb -a"],
    pass: ["wipefs /dev/sdb -a --no-act"],
  },
});
