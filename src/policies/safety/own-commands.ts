import { policy } from "../../core/policy.ts";
import { isDashboardPort, portsIn, portsOf } from "../../domain/tools/dashboard-ports.ts";
import { ownArguments } from "../../domain/tools/own-arguments.ts";
import { meaningOf, toolsOption } from "../../domain/tools/tool-meaning.ts";
import { shellOf } from "../../effects/shell-of-event.ts";

/** Commands that change the guard itself, which only the person may run, in a terminal. */
const PERSONS = new Set(["off", "on", "uninstall", "trust", "allow", "init", "dashboard", "upgrade"]);
/** Those that decide which other machines a fleet trusts, and which rules they get. */
const PERSONS_OF_FLEET = /^(?:connect|disconnect|bundle (?:publish|…)|…)$/;

export default policy({
  id: "safety/own-commands",
  summary: "Keeps an agent from switching off, uninstalling or loosening its own guard, and from its dashboard.",
  why: "A guard that the agent itself can switch off does not guard anything.",
  stage: "security",
  filter: { kinds: ["shell", "other"] },
  options: (z) => z.object({ tools: toolsOption(z) }),
  messages: {
    persons:
      "`hookwright {what}` may only be run by the person, in their own terminal. Tell them what you need and why.",
    dashboard:
      "That port is the dashboard, in which the person decides what you may do. Tell them what you need and why.",
  },
  examples: {
    hit: ["`hookwright off`", "`npx hookwright uninstall --yes`", "`node bin/hookwright.mjs daemon stop`"],
    pass: ["`hookwright journal`", "`hookwright explain --last`", "`grep -r 'hookwright off' docs`"],
  },
  on: {
    "tool.before"(event, ctx) {
      const { events, urls } = meaningOf(event, ctx.options.tools);
      const commands = events.flatMap((call) => shellOf(call, ctx.places.userHome).commands);
      for (const command of commands) {
        const args = ownArguments(command);
        const what = args && personsCommand(args);
        if (what) return ctx.deny("persons", { what });
      }
      const ports = [...portsIn(urls), ...commands.flatMap(portsOf)];
      return isDashboardPort(ports, ctx) ? ctx.deny("dashboard") : undefined;
    },
  },
});

function personsCommand(args: readonly (string | undefined)[]): string | undefined {
  const words = args.filter((arg) => arg === undefined || !arg.startsWith("-"));
  const [name, action] = words;
  // An unknown argument could be any of these commands.
  if (words.length !== 0 && name === undefined) return "…";
  if (args.includes("--help")) return undefined;
  if (name === "daemon" && (action === "stop" || action === undefined)) return `daemon ${action ?? "…"}`;
  if (name === "journal" && action === "forget") return "journal forget";
  const ofFleet = words.slice(1, 3).map((word) => word ?? "…");
  const what = [ofFleet[0] ?? "", ofFleet.join(" ")].find((said) => PERSONS_OF_FLEET.test(said));
  if (name === "fleet" && what) return `fleet ${what}`;
  if (name === "plan" && args.includes("--unverified")) return `plan ${action ?? "…"} --unverified`;
  return name !== undefined && PERSONS.has(name) ? name : undefined;
}
