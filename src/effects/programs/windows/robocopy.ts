import { program } from "../../program.ts";
import { mirroredFolders } from "./mirrored-folders.ts";

export default program({
  names: ["robocopy"],
  kind: "delete-tree",
  exempt: "their options begin with a slash, and each has a rule of its own",
  also: mirroredFolders,
  examples: {
    hit: ["robocopy src dst /MIR"],
    pass: ["robocopy src dst"],
  },
});
