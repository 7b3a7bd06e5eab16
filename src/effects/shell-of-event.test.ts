import { describe, expect, test } from "vitest";
import type { AnyEvent } from "../core/event.ts";
import { powershell, shell, USER_HOME } from "../testing/events.ts";
import { effectsOfEvent } from "./effects-of-event.ts";
import { shellOf } from "./shell-of-event.ts";

/** A text of PowerShell, and the programs that it runs with their words, in words of bash. */
const COMMANDS: readonly (readonly [text: string, ...commands: string[]])[] = [
  ["hookwright off", "hookwright off"],
  ["& hookwright.cmd off", "hookwright off"],
  ["& 'C:\\tools\\hookwright.ps1' off", "C:/tools/hookwright off"],
  ["node .\\bin\\x.mjs off", "node ./bin/x.mjs off"],
  ["Start-Process npx -ArgumentList 'hookwright off'", "npx hookwright off", "hookwright off"],
  ["if ($true) { return npm test }", ":", "true", "npm test"],
  ["Get-Date; iex 'npm test'", "get-date", "npm test", ":"],
  ["pwsh -c 'npm test'", "pwsh -c npm test", "npm test"],
  ["Set-Location web; Remove-Item a -Recurse -Force", "cd web", "rm -rf -- a"],
  ["Remove-Item a -WhatIf", ":"],
  ["Set-Content -Path a.txt -Value hi", "printf %s hi"],
  ["'hi' | Out-File a.txt", "printf %s hi", "tee -a a.txt"],
  ["New-Item -ItemType Directory out", "mkdir -p out"],
  ["New-Item a -Name b.txt", "touch a/b.txt"],
  ["Rename-Item web/dist old", "mv web/dist web/old"],
  ["[IO.File]::WriteAllText('a.txt', 'x')", "printf %s x", "printf %s a.txt x"],
  ["git commit -m 'it''s'", "git commit -m it's"],
  ["Set-Content a @'\nRemove-Item 'b'\n'@", "printf %s Remove-Item 'b'"],
  ["Write-Host 'hookwright off'", "echo hookwright off"],
];

describe("a text of PowerShell", () => {
  test.each(COMMANDS)("%s", (text, ...commands) => {
    expect(wordsOf(powershell(text)).slice(1)).toEqual(commands);
  });

  test("is what pwsh runs", () => {
    const line = "Remove-Item 'it''s' -Recurse";
    expect(wordsOf(powershell(line))[0]).toBe(`pwsh -NoProfile -Command ${line}`);
  });

  test("is no line of bash, though both read alike", () => {
    expect(wordsOf(shell("cd src"))).toEqual(["cd src"]);
    expect(wordsOf(powershell("cd src"))).toEqual(["pwsh -NoProfile -Command cd src", "cd src"]);
  });

  test("is told once: its commands have no effects of their own", () => {
    const found = effectsOfEvent(powershell("Remove-Item src -Recurse; git push --force"), USER_HOME);
    expect(found.map(({ kind, target }) => `${kind} ${target}`)).toEqual([
      "delete-tree src",
      expect.stringMatching(/^delete-remote-history/),
    ]);
  });

  test("in a line of bash is read as well", () => {
    expect(wordsOf(shell("cd web && pwsh -c 'hookwright off' && ls"))).toEqual([
      "cd web",
      "pwsh -c hookwright off",
      "hookwright off",
      "ls",
    ]);
  });

  test("of any length is read or asked about", () => {
    const long = (times: number) => powershell(`${"Get-Date; ".repeat(times)}Remove-Item src -Recurse`);
    expect(effectsOfEvent(long(2_000), USER_HOME)).toMatchObject([{ kind: "delete-tree" }]);
    expect(effectsOfEvent(long(9_000), USER_HOME)).toMatchObject([{ certainty: "possible" }]);
    expect(shellOf(long(30_000), USER_HOME).unreadable).toBeDefined();
  });
});

function wordsOf(event: AnyEvent): readonly string[] {
  return shellOf(event, USER_HOME).commands.map(({ argv }) => argv.map(({ text }) => text).join(" "));
}
