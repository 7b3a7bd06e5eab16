// The part of docs/agents.md about installing and removing: from the installers and the declarations.
import { code, plain, table } from "../markdown.mjs";

const PLACE = { env: {}, userHome: "/~", cwd: "/project", project: "/project" };
/** A path in there, as people write it. */
const written = (file) => file.replace(/^\/(?=~)|^\/project\//, "");

export function installPart(agents) {
  const known = agents.filter(({ declaration: { setup = [] } }) => setup.length > 0);
  return [
    "## Install and remove",
    "",
    "```sh",
    "hookwright init --agent codex         # into your own settings; several: --agent codex,gemini-cli; all that are here: --agent all",
    "hookwright doctor                     # is it installed, trusted, reached, recording?",
    "hookwright uninstall --agent codex    # the agent's files are byte for byte as before, where nobody else changed them",
    "```",
    "",
    "`init` shows the file and the events before it writes, and keeps the file as it was. With `--scope project` it writes",
    "the file that a project shares; everyone there then needs `hookwright` on their PATH, and whoever has none works unguarded.",
    "Profiles, rules, journal, plans, sessions and locks are the same for all agents: two of them in one project see each other.",
    "",
    ...table(["agent", "name", "your own hooks", "hooks of a project"], agents.map(row)),
    "",
    ...known.flatMap(({ declaration: { title, setup } }) => setup.map((text) => `- ${title}: ${plain(text)}`)),
    "",
    "Uninstall before you delete Hookwright itself, with the same `--scope`. An entry that names a program which is gone does what the",
    "last column of the first table says: some agents then refuse every call. To get rid of everything:",
    "",
    "```sh",
    "hookwright uninstall --agent all      # also of agents whose program is gone; in each project once more with --scope project",
    "npm uninstall --global hookwright",
    "rm -r ~/.local/share/hookwright ~/.config/hookwright    # the journal and all records, and your configuration",
    "```",
    "",
  ];
}

function row({ declaration: { id, title }, installer }) {
  const file = (scope) =>
    installer.scopes.includes(scope) ? code(written(installer.settingsFile(scope, PLACE))) : "–";
  return [title, code(id), file("user"), file("project")];
}
