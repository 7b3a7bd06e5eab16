import { policy } from "../../core/policy.ts";
import { meaningOf, toolsOption } from "../../domain/tools/tool-meaning.ts";
import { shellOf } from "../../effects/shell-of-event.ts";
import type { Command } from "../../shell/command.ts";

/** Commands that change the guard itself, which only the person may run, in a terminal. */
const PERSONS = new Set(["off", "on", "uninstall", "trust", "allow", "init"]);
const LAUNCHERS = new Set(["npx", "bunx", "pnpx"]);

export default policy({
  id: "safety/own-commands",
  summary: "Keeps an agent from switching off, uninstalling or loosening its own guard.",
  why: "A guard that the agent itself can switch off does not guard anything.",
  stage: "security",
  filter: { kinds: ["shell", "other"] },
  options: (z) => z.object({ tools: toolsOption(z) }),
  messages: {
    persons:
      "`hookwright {what}` may only be run by the person, in their own terminal. Tell them what you need and why.",
  },
  examples: {
    hit: ["`hookwright off`", "`npx hookwright uninstall --yes`", "`node bin/hookwright.mjs daemon stop`"],
    pass: ["`hookwright journal`", "`hookwright explain --last`", "`grep -r 'hookwright off' docs`"],
  },
  on: {
    "tool.before"(event, ctx) {
      const { events } = meaningOf(event, ctx.options.tools);
      for (const command of events.flatMap((call) => shellOf(call, ctx.places.userHome).commands)) {
        const args = ownArguments(command);
        const what = args && personsCommand(args);
        if (what) return ctx.deny("persons", { what });
      }
      return undefined;
    },
  },
});

/** The arguments for our command line, if the command starts it: by name, through a launcher, or as a file with Node. */
function ownArguments({ program, args }: Command): readonly (string | undefined)[] | undefined {
  if (program === "hookwright" || program === "hookwright.mjs") return args;
  const isLauncher = LAUNCHERS.has(program ?? "") || program === "node" || program === "npm";
  const at = isLauncher
    ? args.findIndex((arg) => arg?.includes("hookwright") && /(?:^|\/)hookwright(?:\.mjs|@[^/]*)?$/.test(arg))
    : -1;
  return at < 0 ? undefined : args.slice(at + 1);
}

function personsCommand(args: readonly (string | undefined)[]): string | undefined {
  const words = args.filter((arg) => arg === undefined || !arg.startsWith("-"));
  const [name, action] = words;
  // An unknown argument could be any of these commands.
  if (words.length !== 0 && name === undefined) return "…";
  if (args.includes("--help")) return undefined;
  if (name === "daemon" && (action === "stop" || action === undefined)) return `daemon ${action ?? "…"}`;
  if (name === "journal" && action === "forget") return "journal forget";
  if (name === "plan" && args.includes("--unverified")) return `plan ${action ?? "…"} --unverified`;
  return name !== undefined && PERSONS.has(name) ? name : undefined;
}
