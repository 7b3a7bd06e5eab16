import type { Command } from "../../../shell/command.ts";
import { readOptions } from "../../../shell/options.ts";
import type { Effect } from "../../effect.ts";
import { has } from "../../line/words.ts";
import { everything } from "./killing.ts";

const VITAL =
  /^(?:systemd.*|init|launchd|sshd?|dbus(?:-daemon)?|Xorg|Xwayland|gnome-shell|kwin\w*|plasmashell|login|WindowServer|loginwindow|(?:ba|z|da|k|fi)?sh|tmux|screen|claude|dockerd|containerd|kubelet)$/;

export function killedByName(command: Command): readonly Effect[] {
  const options = readOptions(
    command.argv.slice(1),
    {
      short: "0123456789eqwfxinovcIlVrHUPKABDEGJLMNOQRSTXZg:G:P:s:t:u:y:z:",
      long: "signal: exact full ignore-case newest oldest user: euid: uid: group: pgroup: session: terminal: parent: regexp verbose wait quiet interactive list inverse",
    },
    true,
  );
  if (has(options, "l list i interactive") && command.program === "killall") return [];
  const patterns = options.operands.filter(
    (word) => !/^(?:SIG)?(?:KILL|TERM|HUP|INT|QUIT|USR[12]|\d+)$/.test(word.text),
  );
  const narrowed = has(options, "P t parent terminal g pgroup");
  // All but those it names.
  if (has(options, "v inverse") && command.program === "pkill")
    return [everything(command, "ends every other process")];
  if (patterns.length === 0 && has(options, "u U user euid uid") && !narrowed)
    return [everything(command, "ends every process of a user")];
  const broad = patterns.find(({ text }) => /^[.^*$+]*$/.test(text) || VITAL.test(text));
  return broad ? [everything(command, `ends every process that matches "${broad.text}"`)] : [];
}
