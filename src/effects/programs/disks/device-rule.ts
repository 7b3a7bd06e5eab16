import type { Rule, RuleExtra } from "../../program-rules.ts";

export const LEAVE_TO_PERSON = "tell the person which device it is and let them do it";

/** A form that writes below the file system of the disk that the line names. */
export function onDevice(words: string, extra: RuleExtra = {}): Rule {
  return [words, "destroys what is on {}", { target: "device", instead: LEAVE_TO_PERSON, ...extra }];
}
