import { program } from "../../program.ts";

export default program({
  names: ["atrm"],
  kind: "delete-tree",
  rules: [["*", "removes the scheduled jobs {}", { kind: "schedule-loss" }]],
  examples: {
    hit: ["atrm web web"],
    pass: ["atrm --version"],
  },
});
