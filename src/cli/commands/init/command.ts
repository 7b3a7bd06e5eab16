import type { InstallableAgent } from "../../../agents/installers.ts";
import type { CliCommand } from "../../command.ts";
import type { Listeners, RegisteredEvent } from "../../installation/registered-events.ts";
import { setupOptions } from "../../installation/setup-options.ts";
import { processTerminal } from "../../terminal/confirm.ts";

export const initCommand: CliCommand = {
  name: "init",
  summary: "Installs the hooks into an agent's settings.",
  usage: "init [--agent A,…] [--scope user|project|local|managed] [--profile P,…] [--yes]",
  details: [
    "Adds one entry per event to the agent's own settings file and leaves everything else in it as it is. The original",
    "is kept, and `hookwright uninstall` puts it back. Run it again after an update, or to change the profiles.",
    "`--agent` takes several names; `all` means the agents that are on this machine.",
    "",
    "`--profile` writes the profiles into the configuration, where every command and the hooks read them: into yours",
    "(~/.config/hookwright/config.yml); with `--scope project` into the project's hookwright.yml, which adds them to what",
    "each person has; with `--scope managed` they stand in the registered commands, where no configuration changes them.",
    "Without it they stay as they are. At the first installation in a terminal you are asked.",
    "",
    "  user     your own settings, for every project (default)",
    "  project  the settings a project shares; everyone there needs `hookwright` on their PATH",
    "  local    your own settings for one project",
    "  managed  the settings of this machine, for everybody on it; only root can install or remove them",
  ].join("\n"),
  options: setupOptions,
  changes: () => true,
  async run(context) {
    const [{ runInit }, { registeredEvents }, { packageRootOf }] = await Promise.all([
      import("./run.ts"),
      import("../../installation/registered-events.ts"),
      import("../../installation/version-folder.ts"),
    ]);
    const versions = new Map<string, string | undefined>();
    const version = ({ declaration, installer }: InstallableAgent): string | undefined => {
      if (!versions.has(declaration.id)) versions.set(declaration.id, installer.installedVersion(context.env));
      return versions.get(declaration.id);
    };
    const events = (listeners: Listeners, agent: InstallableAgent): RegisteredEvent[] =>
      registeredEvents(listeners, agent, version(agent));
    return runInit(context, {
      events,
      version,
      packageRoot: packageRootOf(import.meta.url),
      terminal: processTerminal,
    });
  },
};
