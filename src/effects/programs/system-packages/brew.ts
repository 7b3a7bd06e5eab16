import { program } from "../../program.ts";
import { addressedCode, behind } from "../package-managers/foreign-code.ts";

export default program({
  names: ["brew"],
  kind: "delete-tree",
  rules: [["uninstall|remove|rm", "removes {} with its settings and data", { needs: "zap" }]],
  also: behind("install reinstall", addressedCode),
  examples: {
    hit: ["brew install https://code.example/tool.rb", "brew uninstall web --zap"],
    pass: ["brew install jq"],
  },
});
