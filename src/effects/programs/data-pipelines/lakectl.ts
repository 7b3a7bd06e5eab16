import { program } from "../../program.ts";

export default program({
  names: ["lakectl"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  rules: [
    ["fs rm", "deletes {}", { needs: "r recursive" }],
    ["repo|branch delete", "deletes {}", { kind: "rewrite-history" }],
    ["branch reset|revert", "discards uncommitted changes"],
  ],
  examples: {
    hit: ["lakectl fs rm web -r", "lakectl repo delete web", "lakectl branch reset"],
    pass: ["lakectl fs rm web"],
  },
});
