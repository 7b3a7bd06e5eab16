import { program } from "../../program.ts";

export default program({
  names: ["hg"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  options: {
    short: "R:",
    long: "repository: cwd: config: clean all print no-backup rev: date: keep force delete cleanup dry-run",
  },
  rules: [
    ["update|up|checkout|co", "discards uncommitted changes", { needs: "C clean" }],
    ["purge|clean", "deletes untracked files", { unless: "p print" }],
    ["strip|debugstrip", "removes commits from the repository", { kind: "rewrite-history", named: true }],
    ["rollback", "undoes the last commit or pull permanently", { kind: "rewrite-history", unless: "n dry-run" }],
    ["shelve", "deletes shelved changes", { needs: "d delete cleanup" }],
    ["revert", "discards uncommitted changes without a backup", { needs: "C no-backup" }],
  ],
  examples: {
    hit: [
      "hg update -C tip",
      "hg up --clean",
      "hg -R /x purge --all",
      "hg revert --all --no-backup",
      "hg strip 12",
      "hg rollback",
      "hg shelve -d",
    ],
    pass: ["hg update tip", "hg purge --print", "hg revert a.txt", "hg status"],
  },
});
