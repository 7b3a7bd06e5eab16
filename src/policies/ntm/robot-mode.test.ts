import { shell, toolBefore } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./robot-mode.ts";

const human = { says: "deny", message: "subcommand" } as const;
const screen = { says: "deny", message: "screen" } as const;

testPolicy(policy, {
  hit: [
    { name: "a subcommand", event: shell("ntm status"), ...human, text: "ntm status" },
    { name: "spawn for people", event: shell("ntm spawn fleet --cc=2"), ...human },
    { name: "a flag before the robot flag", event: shell("ntm --json --robot-status"), ...human },
    { name: "ntm alone", event: shell("ntm"), ...human },
    { name: "a robot call does not excuse another call", event: shell("ntm --robot-status && ntm status"), ...human },
    { name: "an exempt call does not excuse another", event: shell("ntm save x; ntm dashboard"), ...human },
    { name: "by its path", event: shell("/usr/local/bin/ntm status"), ...human },
    { name: "behind wrappers", event: shell("sudo env A=1 timeout 5 ntm status"), ...human },
    { name: "inside bash -c", event: shell("bash -c 'ntm status'"), ...human },
    { name: "inside a substitution", event: shell("echo $(ntm status)"), ...human },
    { name: "behind quoting", event: shell("n't'm status"), ...human },
    { name: "a subcommand that cannot be known", event: shell('ntm "$WHAT"'), ...human },
    { name: "bv alone", event: shell("bv"), ...screen },
    { name: "bv without a robot flag", event: shell("bv --theme dark"), ...screen },
    { name: "bv in a list", event: shell("cd x && bv"), ...screen },
  ],
  pass: [
    { name: "robot status", event: shell("ntm --robot-status") },
    { name: "robot status of a session", event: shell("ntm --robot-status=fleet --lines 5") },
    { name: "help", event: shell("ntm --help") },
    { name: "short help", event: shell("ntm -h") },
    { name: "version", event: shell("ntm version") },
    { name: "send", event: shell("ntm send fleet --msg='go'") },
    { name: "save", event: shell("ntm save fleet -o ./outputs") },
    { name: "kill, which others look at", event: shell("ntm kill fleet") },
    { name: "preflight", event: shell("ntm preflight") },
    { name: "bv robot plan", event: shell("bv --robot-plan") },
    { name: "a folder of that name", event: shell("ls ntm/") },
    { name: "a file that begins alike", event: shell("cat bv.txt ntm.md") },
    { name: "a word in a text", event: shell("echo 'run ntm status or bv'") },
    { name: "a here-document", event: shell("cat <<'EOF' > notes\nntm status\nbv\nEOF") },
    { name: "a comment", event: shell("true # ntm status") },
    { name: "a line that cannot be read", event: shell("ntm status 'oops") },
    { name: "another tool", event: toolBefore("Read", { file_path: "/x/ntm status" }) },
    { name: "inside a worker of the fleet", event: shell("ntm status"), env: { HOOKWRIGHT_FLEET_WORKER: "1" } },
  ],
});
