/** Test data: a project that uses all five systems at once, with every shipped policy in force. */
import { goldenVersionFiles, readGolden } from "../../../test/support/golden.ts";
import { sized } from "../../../test/support/long.ts";
import type { AnyEvent } from "../../core/event.ts";
import type { Policy } from "../../core/policy.ts";
import { RUNTIME } from "../../domain/ntm/ntm.samples.ts";
import { project } from "../../domain/plan/plan.samples.ts";
import { WRAPPED, worldInSession } from "../../domain/session/session.samples.ts";
import { inProject } from "../../domain/team/team.samples.ts";
import { registry } from "../../policies/index.gen.ts";
import { claudeEvent, PROJECT } from "../../testing/events.ts";
import type { FakeFile } from "../../testing/fake-ports.ts";
import type { SandboxOptions } from "../../testing/sandbox.ts";

const SWITCHES = "stop_guard: true\n  session_context: true\n  precompact_state: true\n  task_verification: prompt";
const OMC = `${PROJECT}/.omc`;

export const everyPolicy = (): Promise<Policy[]> =>
  Promise.all(registry.map(async ({ load }) => (await load()).default));

/** What the project has of each system, by file. */
export const FILES = {
  ntm: {
    [RUNTIME]: { dir: 0o700 },
    [`${RUNTIME}/active-session.json`]: '{"session":"fleet"}',
  },
  plan: project({ hooks: SWITCHES }).files,
  session: worldInSession({ logTemplate: "TEMPLATE_LOG.md" }).files,
  teams: inProject().files,
  omc: { [`${OMC}/notepad.md`]: "# Notepad\n\n## Priority Context\nKeep the old names.\n" },
} as const satisfies Record<string, Readonly<Record<string, FakeFile>>>;

/** A world with these files, in which the fleet's tmux session is alive. */
export function allFive(files: Readonly<Record<string, FakeFile>> = Object.assign({}, ...Object.values(FILES))) {
  return {
    files,
    env: { ...WRAPPED, XDG_RUNTIME_DIR: "/run/user/1000" },
    alive: worldInSession().alive,
    tmux: ["fleet"],
  } satisfies SandboxOptions;
}

/**
 * The payloads of the newest client as decoded events, in the order of a session. `npm test` takes the first one of each
 * event, `npm run check:long` takes all.
 */
export function goldenEvents(session: string): [name: string, event: AnyEvent][] {
  return goldenVersionFiles("2.1.325")
    .sort((a, b) => rank(a) - rank(b))
    .flatMap((name) => {
      const payloads = Object.entries(readGolden("2.1.325", name).payloads).slice(0, sized(1, 100));
      return payloads.map(([kind, { payload }]): [string, AnyEvent] => [
        `${name} ${kind}`,
        claudeEvent({ ...payload, session_id: session }),
      ]);
    });
}

/** A session starts first and ends last, and a call is asked about before it is reported. */
function rank(event: string): number {
  if (event === "SessionEnd") return 4;
  return ["SessionStart", "PreToolUse"].indexOf(event) + 1 || 3;
}
