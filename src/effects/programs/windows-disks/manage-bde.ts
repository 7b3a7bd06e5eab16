import { program } from "../../program.ts";

export default program({
  names: ["manage-bde"],
  kind: "format-device",
  exempt: "their options begin with a slash, and each has a rule of its own",
  slashOptions: true,
  rules: [
    ["** -forcerecovery|-wipefreespace", "removes the encryption keys of a disk"],
    ["** -protectors -delete", "removes the encryption keys of a disk"],
  ],
  examples: {
    hit: ["manage-bde -forcerecovery", "manage-bde -protectors -delete"],
    pass: ["manage-bde -status"],
  },
});
