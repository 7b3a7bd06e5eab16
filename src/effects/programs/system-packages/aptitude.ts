import { program } from "../../program.ts";
import { essentialPackages } from "./essential-packages.ts";

export default program({
  names: ["aptitude"],
  kind: "delete-tree",
  also: essentialPackages(/^(?:remove|purge)$/),
  examples: {
    hit: ["aptitude purge systemd"],
    pass: ["aptitude remove cowsay"],
  },
});
