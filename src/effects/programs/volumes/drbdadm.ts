import { program } from "../../program.ts";

export default program({
  names: ["drbdadm"],
  kind: "format-device",
  service: true,
  rules: [["wipe-md|create-md|invalidate", "wipes the resource {}"]],
  examples: {
    hit: ["drbdadm wipe-md web"],
    pass: ["drbdadm status web"],
  },
});
