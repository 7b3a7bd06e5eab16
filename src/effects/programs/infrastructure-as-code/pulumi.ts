import { program } from "../../program.ts";

export default program({
  names: ["pulumi"],
  kind: "destroy-infrastructure",
  service: true,
  values: "s stack C cwd m message",
  dry: "preview-only preview",
  rules: [
    ["destroy|down|dn", "destroys everything in the stack", { instead: "look at a plan of the changes first" }],
    [
      "up|update",
      "changes and destroys without asking",
      { needs: "y yes", instead: "look at a plan of the changes first" },
    ],
    ["stack rm", "removes the stack {} with its history"],
    ["state delete", "removes {} from the state"],
  ],
  examples: {
    hit: [
      "pulumi destroy --yes",
      "pulumi destroy -s prod -y",
      "pulumi stack rm prod --force",
      "pulumi up --yes",
      "pulumi state delete web",
    ],
    pass: ["pulumi preview", "pulumi destroy --preview-only", "pulumi stack ls", "pulumi up", "pulumi preview --yes"],
  },
});
