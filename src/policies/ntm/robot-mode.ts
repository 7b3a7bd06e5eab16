import { policy } from "../../core/policy.ts";
import { isHelp, ntmCalls } from "../../domain/ntm/calls.ts";
import { unlessFleetWorker } from "../../domain/ntm/unless-fleet-worker.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

/** Subcommands that print their output and exit; the others open a full-screen interface or wait for keys. */
const SCRIPTABLE = new Set(["send", "kill", "save", "preflight"]);

export default policy({
  id: "ntm/robot-mode",
  summary: "Allows only the scriptable forms of ntm and bv.",
  why: "A full-screen interface inside an agent's shell call hangs the session, and what it prints cannot be read.",
  origin: "ntm-orchestrator",
  stage: "ntm",
  filter: { kinds: ["shell"] },
  messages: {
    subcommand:
      "BLOCKED: `ntm {what}` is interactive and made for people. Use a robot flag directly after the program, such as `ntm --robot-status`: it prints JSON and exits.",
    screen: "BLOCKED: `bv` without a --robot-… flag opens a full-screen interface. Use one, such as `bv --robot-plan`.",
  },
  examples: {
    hit: ["`ntm status`", "`ntm --json --robot-status`", "`bv`"],
    pass: ["`ntm --robot-status`", "`ntm save fleet`", "`ntm --help`", "`bv --robot-plan`", "`ls ntm/`"],
  },
  on: {
    "tool.before"(event, ctx) {
      const { commands } = shellOf(event, ctx.places.userHome);
      const screens = commands.filter(({ program, args }) => program === "bv" && !args.some(isRobotFlag));
      const call = ntmCalls(commands).find(
        (one) => one.robot === undefined && !SCRIPTABLE.has(one.subcommand ?? "") && !isHelp(one),
      );
      if (call) return unlessFleetWorker(ctx, ctx.deny("subcommand", { what: call.command.args[0] ?? "…" }));
      return screens.length > 0 ? unlessFleetWorker(ctx, ctx.deny("screen")) : undefined;
    },
  },
});

function isRobotFlag(arg: string | undefined): boolean {
  return arg?.startsWith("--robot-") === true;
}
