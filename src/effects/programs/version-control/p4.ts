import { program } from "../../program.ts";

export default program({
  names: ["p4"],
  kind: "discard-uncommitted",
  exempt: "what they remove is a file, a name or a commit, each with a rule of its own",
  options: { short: "c:d:H:p:P:u:x:C:", long: "" },
  rules: [
    ["revert", "discards uncommitted changes", { named: true, unless: "n k a" }],
    ["clean", "discards changed and added files", { unless: "n" }],
    ["sync", "replaces files that were changed", { needs: "f", unless: "n k p" }],
    ["shelve", "deletes shelved changes", { needs: "d" }],
    ["obliterate", "removes files and their history from the server", { kind: "delete-remote-history", needs: "y" }],
  ],
  examples: {
    hit: ["p4 revert //...", "p4 obliterate -y //depot/x", "p4 clean", "p4 sync -f", "p4 shelve -d"],
    pass: ["p4 revert -n //...", "p4 obliterate //depot/x"],
  },
});
