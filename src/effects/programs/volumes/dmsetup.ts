import { program } from "../../program.ts";

export default program({
  names: ["dmsetup"],
  kind: "format-device",
  service: true,
  rules: [["remove|remove_all|wipe_table|clear", "removes the mapped device {}"]],
  examples: {
    hit: ["dmsetup remove web"],
    pass: ["dmsetup ls --tree"],
  },
});
