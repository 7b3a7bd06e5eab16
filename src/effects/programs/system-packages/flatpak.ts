import { program } from "../../program.ts";

export default program({
  names: ["flatpak"],
  kind: "delete-tree",
  rules: [["uninstall|remove", "removes {} with its data", { needs: "delete-data" }]],
  examples: {
    hit: ["flatpak uninstall web --delete-data"],
    pass: ["flatpak uninstall web"],
  },
});
