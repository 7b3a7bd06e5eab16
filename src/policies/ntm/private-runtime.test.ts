import { RUNTIME, runtime } from "../../domain/ntm/ntm.samples.ts";
import { shell } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./private-runtime.ts";

const open = { says: "deny", message: "open" } as const;
const status = shell("ntm --robot-status");
const withFolder = (mode: number) => {
  const { env, files } = runtime();
  return { env, files: { ...files, [`${RUNTIME}/fleet`]: { dir: mode } } };
};

testPolicy(policy, {
  hit: [
    { name: "readable by others", event: status, ...runtime({}, { dir: 0o755 }), ...open, text: RUNTIME },
    { name: "of another user", event: status, ...runtime({}, { dir: 0o700, uid: 7 }), ...open },
    { name: "a link", event: status, ...runtime({}, { link: "/elsewhere" }), ...open },
    { name: "a file in its place", event: status, ...runtime({}, "text"), ...open },
    {
      name: "a session's folder that is open, for a save",
      event: shell("ntm save fleet"),
      ...withFolder(0o755),
      ...open,
    },
    {
      name: "a session's folder that is open, for a spawn",
      event: shell("ntm --robot-spawn=fleet"),
      ...withFolder(0o777),
      ...open,
    },
  ],
  pass: [
    { name: "private", event: status, ...runtime() },
    { name: "not there yet", event: status },
    { name: "another session's folder", event: shell("ntm save other"), ...withFolder(0o755) },
    { name: "no ntm on the line", event: shell("ls ntm/"), ...runtime({}, { dir: 0o755 }) },
    {
      name: "inside a worker",
      event: status,
      ...runtime({}, { dir: 0o755 }),
      env: { ...runtime().env, HOOKWRIGHT_FLEET_WORKER: "1" },
    },
  ],
});
