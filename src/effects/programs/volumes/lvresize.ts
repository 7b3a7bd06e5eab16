import { effect, type Family } from "../../effect.ts";
import { operandsOf } from "../../line/words.ts";
import { program } from "../../program.ts";
import { LEAVE_TO_PERSON } from "../disks/device-rule.ts";

const SMALLER = /^-L?-\d|^-\d+[kmgtpe%]|^--size=-/i;
const DRY = /^-\w*t\w*$|^--test$/;

const shrunkVolume: Family = (command) => {
  const { args } = command;
  const target = operandsOf(command).find(({ text }) => text.startsWith("/"))?.text ?? operandsOf(command).at(-1)?.text;
  if (target === undefined || args.some((arg) => DRY.test(arg ?? ""))) return [];
  return args.some((arg) => SMALLER.test(arg ?? ""))
    ? [
        effect("format-device", command, `destroys what is on ${target}`, {
          target,
          instead: LEAVE_TO_PERSON,
        }),
      ]
    : [];
};

export default program({
  names: ["lvresize"],
  kind: "format-device",
  also: shrunkVolume,
  examples: {
    hit: ["lvresize -L -5G vg/data"],
    pass: ["lvresize -L +5G vg/data", "lvresize --test -L -5G vg/data"],
  },
});
