import { program } from "../../program.ts";

export default program({
  names: ["cipher"],
  kind: "format-device",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "overwrites deleted data, so that it cannot be recovered", { needs: "w=*" }]],
  examples: {
    hit: ["cipher /w:c"],
    pass: ["cipher /c notes.txt"],
  },
});
