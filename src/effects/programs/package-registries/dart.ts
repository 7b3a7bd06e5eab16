import { program } from "../../program.ts";
import { PACKAGE } from "./phrases.ts";

export default program({
  names: ["dart", "flutter"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  values: "C directory",
  dry: "dry-run n",
  rules: [["pub publish|lish", PACKAGE]],
  examples: {
    hit: ["dart pub publish --force", "flutter pub publish", "dart pub publish", "flutter pub publish -f"],
    pass: ["dart pub publish --dry-run", "dart pub get", "dart pub publish -n"],
  },
});
