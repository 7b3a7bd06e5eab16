import { program } from "../../program.ts";

export default program({
  names: ["velero"],
  kind: "destroy-infrastructure",
  service: true,
  values: "n namespace",
  rules: [
    ["backup|schedule|restore delete", "deletes backups"],
    ["uninstall", "uninstalls velero"],
  ],
  examples: {
    hit: ["velero backup delete b --confirm", "velero uninstall"],
    pass: ["velero backup get"],
  },
});
