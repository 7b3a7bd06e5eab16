import { program } from "../../program.ts";
import { wgetRequests } from "./requests.ts";

export default program({
  names: ["wget"],
  kind: "destroy-infrastructure",
  also: wgetRequests,
  examples: {
    hit: ["wget --method=DELETE https://api.github.com/repos/o/r"],
    pass: ["wget --spider https://x.test", "wget https://x.example/a.tgz"],
  },
});
