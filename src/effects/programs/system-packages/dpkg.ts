import { program } from "../../program.ts";
import { essentialPackages } from "./essential-packages.ts";

export default program({
  names: ["dpkg"],
  kind: "delete-tree",
  also: essentialPackages(/^(?:-r|-P|--remove|--purge)$/),
  examples: {
    hit: ["dpkg -P mariadb-server-10.6"],
    pass: ["dpkg -l", "dpkg list"],
  },
});
