import { program } from "../../program.ts";

export default program({
  names: ["flux"],
  kind: "destroy-infrastructure",
  service: true,
  values: "n namespace",
  dry: "dry-run",
  rules: [
    ["uninstall", "uninstalls flux and what it keeps"],
    ["delete", "deletes {}"],
  ],
  examples: {
    hit: ["flux uninstall", "flux delete web"],
    pass: ["flux get all"],
  },
});
