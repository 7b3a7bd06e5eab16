import { program } from "../../program.ts";

export default program({
  names: ["schtasks"],
  kind: "schedule-loss",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [["**", "removes a scheduled task", { needs: "delete" }]],
  examples: {
    hit: ["schtasks /delete"],
    pass: ["schtasks /query"],
  },
});
