import { program } from "../../program.ts";
import { essentialPackages } from "./essential-packages.ts";

export default program({
  names: ["zypper"],
  kind: "delete-tree",
  also: essentialPackages(/^(?:remove|rm)$/),
  examples: {
    hit: ["zypper rm systemd"],
    pass: ["zypper rm cowsay"],
  },
});
