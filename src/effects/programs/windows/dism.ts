import { program } from "../../program.ts";

export default program({
  names: ["dism"],
  kind: "destroy-infrastructure",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [
    ["**", "removes parts of the system", { needs: "remove-package disable-feature remove-driver delete-image" }],
  ],
  examples: {
    hit: ["dism /remove-package"],
    pass: ["dism /online /get-features"],
  },
});
