import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["nx"],
  kind: "publish",
  dry: "dry-run",
  rules: [
    ["release publish", PACKAGE],
    ["release", PACKAGE, { needs: "y yes" }],
  ],
  examples: {
    hit: ["nx release publish", "nx release -y"],
    pass: ["nx release"],
  },
});
