import { program } from "../../program.ts";

export default program({
  names: ["dscl"],
  kind: "delete-tree",
  rules: [
    ["**", "removes an entry of the directory, which may be an account", { needs: "delete", target: "last" }],
    ["** delete", "removes an entry of the directory, which may be an account", { target: "last" }],
  ],
  examples: {
    hit: ["dscl . -delete /Users/dev", "dscl delete"],
    pass: ["dscl . -list /Users"],
  },
});
