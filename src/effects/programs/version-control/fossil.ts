import { program } from "../../program.ts";

export default program({
  names: ["fossil"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  dry: "dry-run n",
  rules: [
    ["revert", "discards uncommitted changes"],
    ["clean|extras", "deletes unmanaged files", { needs: "force f x verily" }],
    ["purge|scrub|shun", "removes content from the repository", { kind: "rewrite-history", unless: "list" }],
    ["close", "discards uncommitted changes", { needs: "force f" }],
  ],
  examples: {
    hit: ["fossil revert", "fossil clean --force", "fossil purge", "fossil close --force"],
    pass: ["fossil clean"],
  },
});
