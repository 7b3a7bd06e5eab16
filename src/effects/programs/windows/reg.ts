import { program } from "../../program.ts";

export default program({
  names: ["reg"],
  kind: "destroy-infrastructure",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["delete|restore|unload", "deletes entries of the registry", { named: true }]],
  examples: {
    hit: ["reg delete web"],
    pass: ["reg query HKLM"],
  },
});
