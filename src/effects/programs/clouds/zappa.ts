import { program } from "../../program.ts";

export default program({
  names: ["zappa", "chalice"],
  kind: "destroy-infrastructure",
  service: true,
  rules: [["undeploy|delete", "removes what was deployed"]],
  examples: {
    hit: ["zappa undeploy"],
    pass: ["zappa deploy production"],
  },
});
