import { program } from "../../program.ts";

export default program({
  names: ["op"],
  kind: "delete-tree",
  values: "vault account session",
  rules: [
    ["item|document|vault|user|group|connect|service-account delete|remove|rm", "deletes {}", { unless: "archive" }],
  ],
  examples: {
    hit: ["op item delete web"],
    pass: ["op item delete web --archive"],
  },
});
