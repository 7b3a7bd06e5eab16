import { stop } from "../../testing/events.ts";
import type { FakeFile } from "../../testing/fake-ports.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./active-session.ts";

const DIR = "/run/user/1000/ntm-orch-1000";
const env = { XDG_RUNTIME_DIR: "/run/user/1000" };
const marked = (marker: string, dir: FakeFile = { dir: 0o700 }) => ({
  env,
  files: { [DIR]: dir, [`${DIR}/active-session.json`]: marker },
});
const fleet = '{"session":"fleet"}';

testPolicy(policy, {
  hit: [
    {
      name: "the session is alive",
      event: stop(),
      ...marked(fleet),
      tmux: ["fleet"],
      says: "hold",
      message: "alive",
      text: "fleet",
    },
    {
      name: "also when the stop was held before",
      event: stop({ stop_hook_active: true }),
      after: [stop()],
      ...marked(fleet),
      tmux: ["fleet"],
      says: "hold",
      message: "alive",
    },
    {
      name: "a runtime directory of one's own",
      event: stop(),
      env: { NTM_ORCH_RUNTIME_DIR: "/srv/rt" },
      files: { "/srv/rt": { dir: 0o700 }, "/srv/rt/active-session.json": fleet },
      tmux: ["fleet"],
      says: "hold",
      message: "alive",
    },
    {
      name: "below the temporary directory when nothing is set",
      event: stop(),
      files: { "/tmp/ntm-orch-1000": { dir: 0o700 }, "/tmp/ntm-orch-1000/active-session.json": fleet },
      tmux: ["fleet"],
      says: "hold",
      message: "alive",
    },
    {
      name: "the model is reminded when the turn ended although the session is alive",
      after: [stop(), stop(), stop()],
      event: stop(),
      ...marked(fleet),
      tmux: ["fleet"],
      says: "later",
      message: "reminder",
      text: "fleet",
    },
    { name: "tmux cannot be asked", event: stop(), ...marked(fleet), tmux: "missing", says: "hold", message: "unseen" },
    {
      name: "tmux still cannot be asked",
      event: stop({ stop_hook_active: true }),
      after: [stop()],
      ...marked(fleet),
      tmux: "missing",
      says: "notice",
      message: "forgotten",
    },
  ],
  pass: [
    { name: "no marker", event: stop(), env, files: { [DIR]: { dir: 0o700 } }, tmux: ["fleet"] },
    { name: "no runtime directory", event: stop(), env, tmux: ["fleet"] },
    { name: "the session has ended", event: stop(), ...marked(fleet), tmux: ["other"] },
    { name: "a session whose name only begins alike", event: stop(), ...marked(fleet), tmux: ["fleet-2"] },
    { name: "a broken marker", event: stop(), ...marked("{"), tmux: ["fleet"] },
    { name: "a marker without a session", event: stop(), ...marked("{}"), tmux: ["fleet"] },
    { name: "a marker with an empty session", event: stop(), ...marked('{"session":""}'), tmux: [""] },
    { name: "a directory others can read", event: stop(), ...marked(fleet, { dir: 0o755 }), tmux: ["fleet"] },
    { name: "a directory of another user", event: stop(), ...marked(fleet, { dir: 0o700, uid: 7 }), tmux: ["fleet"] },
    { name: "a directory that is a link", event: stop(), ...marked(fleet, { link: "/srv/rt" }), tmux: ["fleet"] },
  ],
});
