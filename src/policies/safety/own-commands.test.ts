import { powershell, shell, toolBefore, USER_HOME } from "../../testing/events.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./own-commands.ts";

const persons = { says: "deny", message: "persons" } as const;

const dashboard = { says: "deny", message: "dashboard" } as const;
/** A dashboard that runs, and one whose process has ended. */
const running = {
  files: {
    [`${USER_HOME}/.local/share/hookwright/dashboards/45123-777`]: "",
    [`${USER_HOME}/.local/share/hookwright/dashboards/45124-778`]: "",
  },
  alive: [777],
};

testPolicy(policy, {
  hit: [
    ...[
      "off",
      "on",
      "uninstall --yes",
      "trust",
      "allow x",
      "init --yes",
      "daemon stop",
      "journal forget --all",
      "dashboard --listen 0.0.0.0:4000",
      "upgrade",
      "upgrade --yes",
      "fleet connect postgres://db",
      "fleet disconnect",
      "fleet bundle publish",
      "fleet --json bundle publish rules.yml",
    ].map((args) => ({
      name: `hookwright ${args}`,
      event: shell(`hookwright ${args}`),
      ...persons,
    })),
    {
      name: "a completion without verification",
      event: shell("hookwright plan task 1 complete --unverified"),
      ...persons,
      text: "`hookwright plan task --unverified` may only be run by the person",
    },
    {
      name: "by a server that runs commands",
      event: toolBefore("mcp__desktop-commander__start_process", { command: "hookwright off" }),
      ...persons,
    },
    { name: "through a launcher", event: shell("npx --yes hookwright@latest off"), ...persons },
    { name: "its file by Node", event: shell("node /opt/x/bin/hookwright.mjs uninstall"), ...persons },
    { name: "its file directly", event: shell("./bin/hookwright.mjs off"), ...persons },
    { name: "in a list", event: shell("cd /tmp && hookwright off"), ...persons },
    { name: "behind wrappers", event: shell("sudo -u me env X=1 hookwright daemon stop"), ...persons },
    { name: "inside bash -c", event: shell("bash -c 'hookwright off'"), ...persons },
    { name: "behind quoting", event: shell("hook\"wright\" o'f'f"), ...persons },
    { name: "from a variable", event: shell("X=off; hookwright $X"), ...persons },
    { name: "a command that cannot be known", event: shell('hookwright "$(cat what)"'), ...persons },
    { name: "one that cannot be known, with an option", event: shell('hookwright "$(cat what)" --yes'), ...persons },
    { name: "an option before one that cannot be known", event: shell('hookwright --yes "$(cat what)"'), ...persons },
    { name: "in PowerShell", event: powershell("hookwright off"), ...persons },
    {
      name: "among other statements of PowerShell",
      event: powershell("Set-Location C:\\app; if ($x) { & hookwright.cmd daemon stop }"),
      ...persons,
    },
    { name: "started by PowerShell", event: powershell("Start-Process hookwright -ArgumentList off"), ...persons },
    { name: "in a text that PowerShell runs", event: powershell("iex 'npx hookwright uninstall'"), ...persons },
    { name: "in PowerShell inside bash", event: shell("pwsh -c 'hookwright off'"), ...persons },
    { name: "a part of the fleet that cannot be known", event: shell('hookwright fleet "$(cat what)"'), ...persons },
    { name: "a bundle that cannot be known", event: shell('hookwright fleet bundle "$(cat what)"'), ...persons },
    {
      name: "an answer to its own request",
      event: shell('curl -X POST -d \'{"answer":"yes"}\' http://127.0.0.1:45123/api/approvals/1'),
      ...running,
      ...dashboard,
    },
    { name: "the dashboard", event: shell("hookwright dashboard --no-open"), ...persons },
    { name: "the dashboard, through a launcher", event: shell("npx hookwright dashboard &"), ...persons },
    ...[
      "curl -s http://127.0.0.1:45123/api/now",
      "curl -X POST localhost:45123/api/decisions/1/allow",
      "wget -qO- http://[::ffff:127.0.0.1]:45123/",
      "curl http://2130706433:45123/",
      "python3 -c 'import urllib.request as u; u.urlopen(\"http://localhost:45123/\")'",
      "nc 127.0.0.1 45123 < request",
      "exec 3<>/dev/tcp/127.0.0.1/45123",
      "P=45123; curl http://localhost:$P/",
    ].map((line) => ({ name: `a request: ${line}`, event: shell(line), ...running, ...dashboard })),
    {
      name: "a request by the client's own tool",
      event: toolBefore("WebFetch", { url: "http://127.0.0.1:45123/api/now", prompt: "read it" }),
      ...running,
      ...dashboard,
    },
    { name: "through npm", event: shell("npm exec -- hookwright off"), ...persons },
  ],
  pass: [
    ...["fleet status", "fleet", "fleet bundle", "fleet bundle show"].map((args) => ({
      name: `hookwright ${args}`,
      event: shell(`hookwright ${args}`),
    })),
    { name: "another port", event: shell("curl http://127.0.0.1:4512/ http://127.0.0.1:451230/"), ...running },
    { name: "the port of a dashboard that has ended", event: shell("curl http://127.0.0.1:45124/"), ...running },
    { name: "a request without any dashboard", event: shell("curl http://127.0.0.1:45123/") },
    { name: "the number as another word", event: shell("kill 45123; echo 45123"), ...running },
    { name: "looking", event: shell("hookwright journal --denied") },
    { name: "explaining", event: shell("hookwright explain --last") },
    { name: "the daemon's state", event: shell("hookwright daemon status") },
    { name: "a completion that is verified", event: shell("hookwright plan task 1 complete") },
    { name: "looking, in PowerShell", event: powershell("hookwright journal; Get-Date") },
    { name: "the words in a text of PowerShell", event: powershell("Write-Host 'hookwright off'") },
    { name: "searching for them in PowerShell", event: powershell("Select-String 'hookwright off' docs\\*.md") },
    { name: "help", event: shell("hookwright off --help") },
    { name: "the words in a text", event: shell("echo 'hookwright off'") },
    { name: "searching for them", event: shell("grep -rn 'hookwright off' docs") },
    { name: "no command at all", event: shell("hookwright") },
    { name: "only an option", event: shell("hookwright --version") },
    { name: "a file of that name beside one called off", event: shell("cat bin/hookwright off") },
    { name: "another program's off", event: shell("systemctl off") },
    { name: "a file that is named alike", event: shell("cat hookwright.yml off") },
    { name: "another program whose file is named alike", event: shell("node tools/hookwright-report.mjs off") },
  ],
});
