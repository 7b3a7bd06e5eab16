import { program } from "../../program.ts";

export default program({
  names: ["VBoxManage"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["closemedium", "deletes the disk {}", { needs: "delete" }],
    ["snapshot * delete|restore|restorecurrent", "removes a saved state of the machine"],
    ["mediumio", "formats a disk", { needs: "formatfat" }],
    ["unregistervm", "removes the machine {} with its disks", { needs: "delete" }],
  ],
  examples: {
    hit: [
      "VBoxManage unregistervm vm --delete",
      "VBoxManage closemedium web --delete",
      "VBoxManage snapshot web delete",
      "VBoxManage mediumio --formatfat",
    ],
    pass: ["VBoxManage closemedium web"],
  },
});
