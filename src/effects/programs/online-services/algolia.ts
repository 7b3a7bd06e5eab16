import { program } from "../../program.ts";

export default program({
  names: ["algolia"],
  kind: "destroy-infrastructure",
  service: true,
  values: "p profile application-id api-key",
  rules: [["** delete|clear", "deletes {}"]],
  examples: {
    hit: ["algolia indices clear products -y"],
    pass: ["algolia indices list"],
  },
});
