import { program } from "../../program.ts";

export default program({
  names: ["wmic"],
  kind: "destroy-infrastructure",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [
    ["** delete", "deletes what it lists"],
    ["** call delete|uninstall|terminate|win32shutdown", "deletes what it lists"],
  ],
  examples: {
    hit: ["wmic delete", "wmic call uninstall"],
    pass: ["wmic process list brief"],
  },
});
