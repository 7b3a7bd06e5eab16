import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["eas", "expo"],
  kind: "publish",
  dry: "dry-run",
  rules: [
    ["submit|publish", PACKAGE],
    ["build", PACKAGE, { needs: "auto-submit auto-submit-with-profile" }],
  ],
  examples: {
    hit: ["eas build -p ios --auto-submit", "eas submit"],
    pass: ["eas build -p ios"],
  },
});
