import { program } from "../../program.ts";

export default program({
  names: ["glab"],
  kind: "publish",
  values: "R repo n name X method H header F field f",
  dry: "dry-run",
  rules: [
    ["release create|upload", "makes the release {} public"],
    ["release delete", "deletes the release {}", { kind: "destroy-infrastructure" }],
    ["repo|project delete", "deletes the repository {}", { kind: "destroy-infrastructure" }],
    ["issue|mr|variable|ci|snippet delete", "deletes {}", { kind: "destroy-infrastructure" }],
    ["api", "deletes {}", { kind: "destroy-infrastructure", needs: "X=DELETE method=DELETE" }],
  ],
  examples: {
    hit: [
      "glab repo delete o/r",
      "glab release create v1",
      "glab release delete web",
      "glab issue delete web",
      "glab api web -X DELETE",
    ],
    pass: ["glab mr list"],
  },
});
