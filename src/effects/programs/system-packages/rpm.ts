import { program } from "../../program.ts";
import { essentialPackages } from "./essential-packages.ts";

export default program({
  names: ["rpm"],
  kind: "delete-tree",
  also: essentialPackages(/^(?:-e|--erase)$/),
  examples: {
    hit: ["rpm -e glibc"],
    pass: ["rpm -e cowsay"],
  },
});
