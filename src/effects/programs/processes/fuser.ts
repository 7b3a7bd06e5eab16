import { effect, type Family } from "../../effect.ts";
import { program } from "../../program.ts";

const endedUsers: Family = (command) =>
  command.args.some((arg) => /^-\w*k|^--kill$/.test(arg ?? "")) &&
  command.args.some((arg) => /^-\w*[mM]|^--mount$|^\/(?:\w+\/?)?$/.test(arg ?? ""))
    ? [effect("kill-everything", command, "ends every process that uses a file system")]
    : [];

export default program({
  names: ["fuser"],
  kind: "kill-everything",
  also: endedUsers,
  examples: {
    hit: ["fuser -km /"],
    pass: ["fuser -k 3000/tcp"],
  },
});
