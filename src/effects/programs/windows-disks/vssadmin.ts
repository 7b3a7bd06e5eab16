import { program } from "../../program.ts";

export default program({
  names: ["vssadmin"],
  kind: "format-device",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["delete|resize", "deletes the shadow copies of the disks", { named: true }]],
  examples: {
    hit: ["vssadmin delete web"],
    pass: ["vssadmin list shadows"],
  },
});
