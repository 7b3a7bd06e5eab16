import { program } from "../../program.ts";

export default program({
  names: ["svn"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  options: {
    short: "r:m:F:",
    long: "username: password: config-dir: recursive depth: changelist: cl: remove-unversioned remove-ignored force message: revision: keep-local",
  },
  rules: [
    ["revert", "discards uncommitted changes", { named: true }],
    ["delete|remove|rm", "deletes local files without asking", { needs: "force" }],
    ["cleanup", "deletes files that are not versioned", { needs: "remove-unversioned remove-ignored" }],
  ],
  examples: {
    hit: ["svn revert -R .", "svn cleanup --remove-unversioned", "svn delete --force"],
    pass: ["svn status", "svn update", "svn cleanup", "svn revert"],
  },
});
