import { program } from "../../program.ts";

export default program({
  names: ["gpg", "gpg2"],
  kind: "delete-tree",
  rules: [
    [
      "**",
      "deletes a secret key",
      {
        needs: "delete-secret-key delete-secret-keys delete-secret-and-public-key delete-secret-and-public-keys",
        target: "last",
      },
    ],
  ],
  examples: {
    hit: ["gpg --delete-secret-key"],
    pass: ["gpg --list-secret-keys"],
  },
});
