import { program } from "../../program.ts";

export default program({
  names: ["magento"],
  kind: "destroy-database",
  service: true,
  rules: [["setup:uninstall|setup:rollback", "removes the shop's tables"]],
  examples: {
    hit: ["magento setup:uninstall"],
    pass: ["magento cache:flush"],
  },
});
