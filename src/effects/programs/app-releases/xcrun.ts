import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["xcrun"],
  kind: "publish",
  dry: "dry-run",
  rules: [["altool", PACKAGE, { needs: "upload-app upload-package" }]],
  examples: {
    hit: ["xcrun altool --upload-app"],
    pass: ["xcrun altool"],
  },
});
