import { program } from "../../program.ts";

export default program({
  names: ["copilot"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["app|env|svc|job|pipeline delete", "deletes {}"]],
  examples: {
    hit: ["copilot app delete web"],
    pass: ["copilot svc deploy"],
  },
});
