import { program } from "../../program.ts";
import { essentialPackages } from "./essential-packages.ts";

export default program({
  names: ["dnf", "yum"],
  kind: "delete-tree",
  also: essentialPackages(/^(?:remove|erase)$/),
  examples: {
    hit: ["dnf remove systemd"],
    pass: ["dnf remove cowsay"],
  },
});
