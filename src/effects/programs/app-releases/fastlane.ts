import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";

export default program({
  names: ["fastlane"],
  kind: "publish",
  exempt: "their words are tasks of the project",
  dry: "dry-run",
  rules: [["deliver|supply|upload_to_app_store|upload_to_play_store|release", PACKAGE]],
  examples: {
    hit: ["fastlane deliver"],
    pass: ["fastlane deliver --dry-run"],
  },
});
