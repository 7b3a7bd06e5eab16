import { program } from "../../program.ts";

export default program({
  names: ["bootrec"],
  kind: "format-device",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "rewrites the boot sector of the disk", { needs: "fixmbr fixboot" }]],
  examples: {
    hit: ["bootrec /fixmbr"],
    pass: ["bootrec /scanos"],
  },
});
