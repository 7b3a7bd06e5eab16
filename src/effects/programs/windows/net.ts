import { program } from "../../program.ts";

export default program({
  names: ["net"],
  kind: "delete-tree",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["user|localgroup|group|share|accounts", "removes an account, a group or a share", { needs: "delete del" }]],
  examples: {
    hit: ["net user /delete"],
    pass: ["net user"],
  },
});
