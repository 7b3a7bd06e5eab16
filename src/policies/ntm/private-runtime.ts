import path from "node:path";
import { policy } from "../../core/policy.ts";
import { safeName } from "../../core/text/safe-name.ts";
import { ntmCalls, usesNtm } from "../../domain/ntm/calls.ts";
import { isPrivateOrAbsent, RUNTIME_ENV, runtimeDirectory } from "../../domain/ntm/runtime-directory.ts";
import { unlessFleetWorker } from "../../domain/ntm/unless-fleet-worker.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

export default policy({
  id: "ntm/private-runtime",
  summary: "Denies ntm while other users can use its runtime directory.",
  why: "Another user who can write to that directory can make an unsaved session look saved.",
  origin: "ntm-orchestrator",
  stage: "ntm",
  filter: { kinds: ["shell"] },
  messages: {
    open: "BLOCKED: ntm cannot be used until {dir} is a real directory that you own, with mode 0700. Tell the person; they should check its content before they change it.",
  },
  examples: {
    hit: ["ntm --robot-status while the runtime directory is a link", "ntm save x while <runtime>/x has mode 0755"],
    pass: ["ntm --robot-status with a private runtime directory", "git status while it is open"],
  },
  reads: { env: RUNTIME_ENV },
  when: usesNtm,
  on: {
    "tool.before"(event, ctx) {
      const calls = ntmCalls(shellOf(event, ctx.places.userHome).commands);
      if (calls.length === 0) return undefined;
      const runtime = runtimeDirectory(ctx);
      const sessions = calls.map((call) => (call.robot === "spawn" ? call.robotValue : (call.session ?? "")));
      const folders = sessions.filter((name) => name !== "").map((name) => path.join(runtime, safeName(name)));
      const dir = [runtime, ...folders].find((one) => !isPrivateOrAbsent(ctx.info(one), ctx.places.uid));
      return dir === undefined ? undefined : unlessFleetWorker(ctx, ctx.deny("open", { dir }));
    },
  },
});
