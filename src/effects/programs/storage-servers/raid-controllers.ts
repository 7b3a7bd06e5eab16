import { program } from "../../program.ts";

export default program({
  names: ["storcli", "storcli64", "perccli", "perccli64", "ssacli", "hpssacli"],
  kind: "format-device",
  service: true,
  rules: [["** del|delete|erase", "removes a disk array"]],
  examples: {
    hit: ["storcli del"],
    pass: ["storcli /c0 show"],
  },
});
