import { program } from "../../program.ts";

export default program({
  names: ["dvc"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  dry: "dry",
  rules: [
    ["gc", "deletes data that is not used now", { needs: "f force" }],
    ["destroy", "removes everything that it stores", { needs: "f force" }],
    ["checkout|pull", "replaces changed data", { needs: "f force" }],
  ],
  examples: {
    hit: ["dvc gc -f", "dvc destroy -f", "dvc checkout -f"],
    pass: ["dvc gc"],
  },
});
