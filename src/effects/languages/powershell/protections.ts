import type { Command } from "../../../shell/command.ts";
import { type Effect, effect } from "../../effect.ts";
import type { PowerWord } from "./words.ts";

/** Cmdlets that switch off what protects a machine: an option, and the value with which it does. */
const PROTECTIONS: readonly { name: RegExp; option: RegExp; value: RegExp; why: string; target: string }[] = [
  {
    name: /^set-netfirewallprofile$/,
    option: /^-en(?:a(?:b(?:l(?:e(?:d)?)?)?)?)?$/,
    value: /^(?:false|0)$/,
    why: "switches the firewall off",
    target: "firewall",
  },
  {
    name: /^set-mppreference$/,
    option: /^-disable\w+$/,
    value: /^(?:true|1)$/,
    why: "switches the protection against malware off",
    target: "protection against malware",
  },
];

export function switchedOff(words: readonly PowerWord[], command: Command): readonly Effect[] {
  const texts = words.map(({ text }) => text.toLowerCase());
  return PROTECTIONS.flatMap(({ name, option, value, why, target }) => {
    if (!name.test(texts[0] ?? "")) return [];
    const isOff = texts.some((text, at) => {
      const [flag = "", attached] = text.split(":");
      return option.test(flag) && value.test(attached || (texts[at + 1] ?? ""));
    });
    return isOff ? [effect("permission-blast", command, why, { target })] : [];
  });
}
