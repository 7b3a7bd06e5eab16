import { program } from "../../program.ts";
import { essentialPackages } from "./essential-packages.ts";

export default program({
  names: ["apk"],
  kind: "delete-tree",
  also: essentialPackages(/^del$/),
  examples: {
    hit: ["apk del musl"],
    pass: ["apk del cowsay"],
  },
});
