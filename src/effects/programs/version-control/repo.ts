import { program } from "../../program.ts";
import { repoCheckouts } from "./repo-checkouts.ts";

export default program({
  names: ["repo"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  also: repoCheckouts,
  examples: {
    hit: ["repo forall -c 'git reset --hard'", "repo forall -vc 'git clean -fdx'"],
    pass: ["repo sync", "repo forall -c 'git status'"],
  },
});
