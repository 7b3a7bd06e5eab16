import { program } from "../../program.ts";
import { essentialPackages } from "./essential-packages.ts";

export default program({
  names: ["apt", "apt-get"],
  kind: "delete-tree",
  also: essentialPackages(/^(?:remove|purge|autopurge)$/),
  examples: {
    hit: ["apt-get purge 'postgresql*'", "apt purge mysql-server"],
    pass: ["$SUDO apt-get update", "apt purge nano"],
  },
});
