import { program } from "../../program.ts";

export default program({
  names: ["railway"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [
    ["down|delete", "removes what was deployed"],
    ["volume|environment|service delete|rm", "deletes {}"],
  ],
  examples: {
    hit: ["railway service delete", "railway down"],
    pass: ["railway service"],
  },
});
