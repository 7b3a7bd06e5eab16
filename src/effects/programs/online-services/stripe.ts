import { program } from "../../program.ts";

/** Without `--live` it works on a sandbox. */
export default program({
  names: ["stripe"],
  kind: "destroy-infrastructure",
  exempt: "without its option for live data it works in a sandbox, and with it there are rules",
  values: "api-key p project-name",
  rules: [
    ["delete", "deletes {}", { needs: "live" }],
    ["* delete", "deletes {}", { needs: "live" }],
  ],
  examples: {
    hit: ["stripe products delete prod_1 --live", "stripe delete web --live"],
    pass: ["stripe products delete prod_1"],
  },
});
