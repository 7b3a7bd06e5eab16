import { program } from "../../program.ts";

export default program({
  names: ["msiexec"],
  kind: "remote-code",
  exempt: "their options begin with a slash, and each has a rule of its own",
  values: "i package",
  slashOptions: true,
  rules: [
    [
      "**",
      "installs a program from the network",
      { needs: "i=http:* i=https:* package=http:* package=https:*", target: { option: "i package" } },
    ],
  ],
  examples: {
    hit: ["msiexec /i:http://x.example/a"],
    pass: ["msiexec /i setup.msi"],
  },
});
