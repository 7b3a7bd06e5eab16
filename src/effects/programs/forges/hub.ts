import { program } from "../../program.ts";
import { githubRequests } from "./github-requests.ts";

export default program({
  names: ["hub"],
  kind: "publish",
  dry: "dry-run",
  rules: [
    ["release create", "makes the release {} public", { unless: "draft d" }],
    ["release delete", "deletes the release {}", { kind: "destroy-infrastructure" }],
    ["delete", "deletes the repository {} with its issues", { kind: "destroy-infrastructure" }],
  ],
  also: githubRequests,
  examples: {
    hit: [
      "hub delete user/repo",
      "hub delete -y user/repo",
      "hub api -X DELETE /repos/me/web",
      "hub release create web",
      "hub release delete web",
    ],
    pass: ["hub browse", "hub api /repos/o/r", "hub api /repos/me/web"],
  },
});
