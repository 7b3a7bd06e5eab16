import { program } from "../../program.ts";

export default program({
  names: ["xe"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    [
      "vm-uninstall|vm-destroy|vdi-destroy|sr-destroy|sr-forget|snapshot-uninstall|snapshot-destroy|pool-eject|host-forget",
      "destroys {}",
    ],
  ],
  examples: {
    hit: ["xe vm-uninstall web"],
    pass: ["xe vm-list"],
  },
});
