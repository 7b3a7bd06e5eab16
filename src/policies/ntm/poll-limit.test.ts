import { ago, runtime, spawnedAgo } from "../../domain/ntm/ntm.samples.ts";
import { shell } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./poll-limit.ts";

const soon = { says: "deny", message: "soon" } as const;
const polled = (session: string, kind: string, seconds: number, more = {}) =>
  runtime({ [`${session}/hook-last-poll.json`]: { last_poll_ms: { [`${session}|${kind}`]: ago(seconds) } }, ...more });
const status = shell("ntm --robot-status=fleet");
const fresh = (seconds: number) => ({
  "fleet/state.json": spawnedAgo("fleet", seconds),
  "active-session.json": { session: "fleet" },
});

testPolicy(policy, {
  hit: [
    { name: "twice at once", after: [status], event: shell("ntm --robot-status=fleet"), ...runtime(), ...soon },
    { name: "after 89 seconds", event: status, ...polled("fleet", "status", 89), ...soon, text: "89 s ago" },
    {
      name: "without a session",
      after: [shell("ntm --robot-status")],
      event: shell("ntm --robot-status"),
      ...runtime(),
      ...soon,
    },
    { name: "status also right after the spawn", event: status, ...polled("fleet", "status", 30, fresh(60)), ...soon },
    {
      name: "health of a session that is not the active one",
      event: shell("ntm --robot-health=old"),
      ...polled("old", "health", 30, fresh(60)),
      ...soon,
    },
    {
      name: "health again within ten seconds of the grace",
      event: shell("ntm --robot-health=fleet"),
      ...polled("fleet", "health", 9, fresh(60)),
      ...soon,
    },
    {
      name: "health when the grace is over",
      event: shell("ntm --robot-health=fleet"),
      ...polled("fleet", "health", 30, fresh(181)),
      ...soon,
    },
    {
      name: "health when the grace ends",
      event: shell("ntm --robot-health=fleet"),
      ...polled("fleet", "health", 30, fresh(180)),
      ...soon,
    },
    {
      name: "a question of another kind does not make it forget this one",
      after: [shell("ntm --robot-tail=fleet")],
      event: status,
      ...polled("fleet", "status", 30),
      ...soon,
    },
    { name: "tail", event: shell("ntm --robot-tail=fleet --lines=20"), ...polled("fleet", "tail", 10), ...soon },
    {
      name: "behind another command",
      event: shell("sleep 1; ntm --robot-snapshot=fleet"),
      ...polled("fleet", "snapshot", 2),
      ...soon,
    },
    {
      name: "a blocked call does not start the wait anew",
      after: [status],
      event: status,
      ...polled("fleet", "status", 80),
      ...soon,
      text: "80 s ago",
    },
  ],
  pass: [
    { name: "the first time", event: status, ...runtime() },
    { name: "after 90 seconds", event: status, ...polled("fleet", "status", 90) },
    { name: "another kind", event: shell("ntm --robot-tail=fleet"), ...polled("fleet", "status", 1) },
    { name: "another session", event: shell("ntm --robot-status=other"), ...polled("fleet", "status", 1) },
    {
      name: "health within the grace",
      event: shell("ntm --robot-health=fleet"),
      ...polled("fleet", "health", 10, fresh(100)),
    },
    { name: "a time in the future", event: status, ...polled("fleet", "status", -500) },
    { name: "a broken record", event: status, ...runtime({ "fleet/hook-last-poll.json": [] }) },
    { name: "a record without polls", event: status, ...runtime({ "fleet/hook-last-poll.json": {} }) },
    { name: "polls of another shape", event: status, ...runtime({ "fleet/hook-last-poll.json": { last_poll_ms: 5 } }) },
    { name: "no poll", event: shell("ntm --robot-spawn=fleet"), ...polled("fleet", "spawn", 1) },
  ],
});
