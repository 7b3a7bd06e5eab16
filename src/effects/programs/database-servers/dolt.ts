import { program } from "../../program.ts";

export default program({
  names: ["dolt"],
  kind: "discard-uncommitted",
  service: true,
  rules: [
    ["reset", "discards uncommitted rows", { needs: "hard" }],
    ["branch", "deletes a branch", { needs: "D", kind: "rewrite-history" }],
    ["clean|checkout .|table rm", "removes tables"],
  ],
  sql: [{ after: "sql", option: "q query", stdin: true }],
  examples: {
    hit: ["dolt reset --hard", "dolt branch -D", "dolt clean . rm", "dolt sql -q 'DROP TABLE orders'"],
    pass: ["dolt reset"],
  },
});
