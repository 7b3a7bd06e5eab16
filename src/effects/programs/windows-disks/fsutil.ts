import { program } from "../../program.ts";

export default program({
  names: ["fsutil"],
  kind: "delete-file",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [
    ["file setzerodata|seteof|setvaliddata", "writes over content of a file"],
    ["usn deletejournal", "writes over content of a file"],
  ],
  examples: {
    hit: ["fsutil file setzerodata", "fsutil usn deletejournal"],
    pass: ["fsutil file queryextents notes.txt"],
  },
});
