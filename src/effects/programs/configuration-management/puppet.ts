import { program } from "../../program.ts";
import { puppetResources } from "./puppet-resources.ts";

export default program({
  names: ["puppet"],
  kind: "delete-tree",
  service: true,
  also: puppetResources,
  examples: {
    hit: ["puppet resource user dev ensure=absent"],
    pass: ["puppet resource user dev"],
  },
});
