import { program } from "../../program.ts";

export default program({
  names: ["sl"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  rules: [
    ["goto|go|update|up|checkout|co", "discards uncommitted changes", { needs: "C clean" }],
    ["purge|clean", "deletes untracked files", { unless: "p print" }],
    ["revert", "discards uncommitted changes", { needs: "no-backup" }],
    ["hide|strip|debugstrip", "hides commits", { kind: "rewrite-history" }],
    ["push", "replaces the remote's commits", { kind: "delete-remote-history", needs: "f force delete" }],
  ],
  examples: {
    hit: ["sl goto -C", "sl purge", "sl revert --no-backup", "sl hide", "sl push -f"],
    pass: ["sl goto"],
  },
});
