import { program } from "../../program.ts";

export default program({
  names: ["diskpart"],
  kind: "format-device",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "changes disks by a script", { needs: "s" }]],
  examples: {
    hit: ["diskpart /s"],
    pass: ["diskpart"],
  },
});
