import { program } from "../../program.ts";
import { essentialPackages } from "./essential-packages.ts";

export default program({
  names: ["pacman"],
  kind: "delete-tree",
  also: essentialPackages(/^-R\w*$/),
  examples: {
    hit: ["pacman -Rns glibc"],
    pass: ["pacman -Rns cowsay"],
  },
});
