import { program } from "../../program.ts";

export default program({
  names: ["icacls"],
  kind: "permission-blast",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [
    [
      "**",
      "changes the permissions of everything below",
      { needs: ["t", "grant reset deny inheritance setowner remove"] },
    ],
  ],
  examples: {
    hit: ["icacls /t /grant"],
    pass: ["icacls notes.txt /grant dev:R"],
  },
});
