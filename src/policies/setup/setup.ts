import { policy } from "../../core/policy.ts";
import { doneText, IGNORES_ALL, ignoreFileOf, planFolders } from "../../domain/setup/folders.ts";
import { settingsFiles, settingsProblems } from "../../domain/setup/settings-check.ts";
import { MAINTAIN_JOB, setupReports } from "../../domain/setup/store.ts";

export default policy({
  id: "setup/setup",
  summary: "Prepares the project's `.omc` at `claude --init`, and removes old state at `claude --maintenance`.",
  why: "Missing folders and years of old state are noticed only when something else fails.",
  origin: "oh-my-claudecode",
  stage: "advice",
  messages: {
    initialized: "The variable OMC_INITIALIZED is set for the shell commands of this session.",
    told: "{text}",
    problem: "{text}",
  },
  examples: {
    hit: ["the first session after `claude --init` in a project without `.omc`"],
    pass: ["any other start of a session", "the event Setup with an unknown trigger, which is only recorded"],
  },
  uses: setupReports,
  on: {
    "setup.run"({ trigger }, ctx) {
      if (trigger !== "init") return undefined;
      const { project } = ctx.actor;
      planFolders(project, ctx.info);
      settingsProblems(ctx.info, ctx.read.text, settingsFiles(project, ctx.places.userHome));
      return ctx.environment("initialized", { OMC_INITIALIZED: "true" });
    },
    "session.start"(event, ctx, store) {
      if (event.agentId !== "") return undefined;
      const reports = store.untold();
      const done = reports.map((one) => one.done).join(" ");
      const problems = reports.flatMap((one) => one.problems).join(" ");
      return [
        ...(done === "" ? [] : [ctx.note("told", { text: done })]),
        ...(problems === "" ? [] : [ctx.notice("problem", { text: problems })]),
      ];
    },
  },
  settled: {
    "setup.run"({ trigger }, _fate, ctx, store) {
      const { project } = ctx.actor;
      if (trigger === "maintenance") ctx.job(MAINTAIN_JOB, { project });
      if (trigger !== "init") return;
      const plan = planFolders(project, ctx.looked.info);
      for (const folder of plan.missing) ctx.mirrorText(ignoreFileOf(project, folder), IGNORES_ALL);
      const text = <T>(file: string, about: string): T | undefined => ctx.looked.text<T>(file, about);
      store.add({
        done: doneText(plan),
        problems: [
          ...plan.blocked.map((folder) => `${folder} is no plain folder, so nothing was made in it.`),
          ...settingsProblems(ctx.looked.info, text, settingsFiles(project, ctx.places.userHome)),
        ],
      });
    },
    "session.start"({ session }, fate, ctx, store) {
      const wasTold = ctx.said("told") !== undefined || ctx.said("problem") !== undefined;
      if (wasTold && fate !== "dropped") store.told(session);
    },
    "prompt.submit": ({ session }, _fate, _ctx, store) => store.confirm(session),
  },
});
