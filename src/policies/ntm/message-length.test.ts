import { runtime } from "../../domain/ntm/ntm.samples.ts";
import { shell } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./message-length.ts";

const long = { says: "deny", message: "long" } as const;
const text = (length: number): string => "x".repeat(length);

testPolicy(policy, {
  hit: [
    {
      name: "double quotes",
      event: shell(`ntm send fleet --msg="${text(2001)}"`),
      ...runtime(),
      ...long,
      text: "2001",
    },
    { name: "single quotes", event: shell(`ntm send fleet --msg='${text(2001)}'`), ...runtime(), ...long },
    { name: "a separate word", event: shell(`ntm send fleet --msg "${text(2001)}"`), ...runtime(), ...long },
    { name: "no quotes", event: shell(`ntm send fleet --msg=${text(2001)}`), ...runtime(), ...long },
    { name: "the robot form", event: shell(`ntm --robot-send=fleet --msg="${text(3000)}"`), ...runtime(), ...long },
    { name: "a lower limit", event: shell("ntm send fleet --msg=abcdef"), options: { longest: 5 }, ...long },
  ],
  pass: [
    { name: "just short enough", event: shell(`ntm send fleet --msg="${text(2000)}"`), ...runtime() },
    { name: "short enough, as a separate word", event: shell(`ntm send fleet --msg "${text(2000)}"`), ...runtime() },
    { name: "a file", event: shell("ntm send fleet --file=prompt.txt"), ...runtime() },
    { name: "another program's option", event: shell(`git commit --msg="${text(3000)}"`), ...runtime() },
    { name: "a value that cannot be known", event: shell('ntm send fleet --msg="$(cat prompt.txt)"'), ...runtime() },
  ],
});
