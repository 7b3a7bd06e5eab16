import { program } from "../../program.ts";

export default program({
  names: ["istioctl"],
  kind: "destroy-infrastructure",
  service: true,
  dry: "dry-run",
  rules: [
    ["uninstall", "uninstalls the mesh"],
    ["x|experimental uninstall", "uninstalls the mesh"],
  ],
  examples: {
    hit: ["istioctl uninstall", "istioctl x uninstall"],
    pass: ["istioctl uninstall --dry-run"],
  },
});
