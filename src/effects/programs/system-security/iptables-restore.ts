import { effect, type Family } from "../../effect.ts";
import { program } from "../../program.ts";

const emptiedRules: Family = (command) =>
  command.redirections.some(({ operator, target }) => operator === "<" && target?.text === "/dev/null")
    ? [effect("permission-blast", command, "deletes firewall rules", { target: "firewall" })]
    : [];

export default program({
  names: ["iptables-restore"],
  kind: "permission-blast",
  exempt: "their words are processes, services, accounts and files",
  also: emptiedRules,
  examples: {
    hit: ["iptables-restore < /dev/null"],
    pass: ["iptables-restore < rules.v4"],
  },
});
