import { effect, type Family } from "../../effect.ts";
import { program } from "../../program.ts";

/** Names of processes of the system, or a filter for all but some. */
const EVERYTHING =
  /\/im (?:\*|svchost|csrss|lsass|winlogon|explorer|services|smss|wininit)|\/fi "?(?:pid ne|status eq|username eq)/;

const endedTasks: Family = (command) => {
  const text = command.argv
    .map((word) => word.text)
    .join(" ")
    .toLowerCase();
  if (text.includes(" /?") || !EVERYTHING.test(text)) return [];
  const target = command.args.filter((arg) => arg && !/^[/-]/.test(arg)).at(-1) ?? "";
  return [effect("kill-everything", command, "ends processes that other programs need", { target })];
};

export default program({
  names: ["taskkill"],
  kind: "kill-everything",
  exempt: "their options begin with a slash, and each has a rule of its own",
  also: endedTasks,
  examples: {
    hit: ["taskkill /F /IM svchost.exe"],
    pass: ["taskkill /PID 4711"],
  },
});
