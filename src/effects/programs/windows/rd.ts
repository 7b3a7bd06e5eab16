import { program } from "../../program.ts";

export default program({
  names: ["rd"],
  kind: "delete-tree",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "deletes a folder with everything in it", { needs: "s" }]],
  examples: {
    hit: ["rd /s"],
    pass: ["rd build"],
  },
});
