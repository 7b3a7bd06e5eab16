import { localTime } from "../../domain/session/log-entry.ts";
import { bySubagent, noSession, TRANSCRIPT, WRAPPED, worldInSession } from "../../domain/session/session.samples.ts";
import { prompt } from "../../testing/events.ts";
import { FAKE_NOW } from "../../testing/fake-ports.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./state-line.ts";

const go = prompt("go on", { transcript_path: TRANSCRIPT });
const line = { event: go, says: "note", message: "line" } as const;
const full = { currentPhase: "2: Build", toolCallsByTranscript: { "main.jsonl": 4 }, fleetPaneId: "main:2:api" };
const fleet = (socket: string) => ({ ...WRAPPED, TMUX: `/tmp/tmux-1000/${socket},77,0`, TMUX_PANE: "%1" });

testPolicy(policy, {
  hit: [
    { name: "the time", ...line, ...worldInSession(full), text: `Time: ${localTime(FAKE_NOW)}` },
    { name: "the date", ...line, ...worldInSession(full), text: "2026-01-0" },
    { name: "the session's name", ...line, ...worldInSession(full), text: "Session: 2026_01_02_LOGIN" },
    { name: "the skill", ...line, ...worldInSession(full), text: "Skill: implement" },
    { name: "the phase", ...line, ...worldInSession(full), text: "Phase: 2: Build" },
    { name: "the heartbeat", ...line, ...worldInSession(full), text: "Heartbeat: 4/10" },
    { name: "a limit of its own", ...line, ...worldInSession({ toolUseWithoutLogsBlockAfter: 20 }), text: "0/20" },
    { name: "a session that resumes", ...line, ...worldInSession({ lifecycle: "resuming" }), text: "Session:" },
    { name: "no skill", ...line, ...worldInSession({ skill: undefined }), text: "Skill: none" },
    { name: "no phase", ...line, ...worldInSession(), text: "Phase: none" },
    { name: "no count", ...line, ...worldInSession({ toolCallsByTranscript: "broken" }), text: "Heartbeat: 0/10" },
    { name: "no lifecycle", ...line, ...worldInSession({ lifecycle: undefined }), text: "Session:" },
    {
      name: "the pane inside a fleet",
      ...line,
      ...worldInSession(full),
      env: fleet("fleet"),
      text: "| Fleet: main:2:api",
    },
    {
      name: "the pane inside a named fleet",
      ...line,
      ...worldInSession(full),
      env: fleet("fleet-2"),
      text: "| Fleet: main",
    },
    {
      name: "no pane in an ordinary tmux",
      ...line,
      ...worldInSession(full),
      env: fleet("default"),
      text: "Heartbeat: 4/10",
    },
    {
      name: "by configuration",
      ...line,
      ...worldInSession(),
      env: { CLAUDE_SUPERVISOR_PID: "4242" },
      options: { required: "always" },
    },
  ],
  pass: [
    { name: "without SESSION_REQUIRED", event: go, ...worldInSession(), env: { CLAUDE_SUPERVISOR_PID: "4242" } },
    { name: "without a session", event: go, ...noSession },
    { name: "a completed session", event: go, ...worldInSession({ lifecycle: "completed" }) },
    { name: "an idle session", event: go, ...worldInSession({ lifecycle: "idle" }) },
    { name: "a session that hands over", event: go, ...worldInSession({ lifecycle: "dehydrating" }) },
    {
      name: "a prompt that a machine wrote",
      event: prompt("<task-notification>x</task-notification>"),
      ...worldInSession(),
    },
    { name: "a call", event: bySubagent("Read"), ...worldInSession() },
  ],
});
