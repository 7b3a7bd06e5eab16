import { HookwrightError } from "../../../core/errors.ts";
import { FLEET_STATES, PANE_BACKGROUNDS, PANE_OPTION, WINDOW_OPTION } from "../../../domain/lifecycle/fleet.ts";
import { system } from "../../../system/system.ts";
import type { SessionAccess } from "./session-access.ts";
import { sessionUsageError } from "./start-session.ts";

const TMUX_MS = 5_000;
/** Our own index in tmux's list of hook commands, so that commands of others stay. */
const SLOT = 97;
const HOOKS = ["after-select-pane", "after-select-window", "pane-focus-in"];
const STYLES = { "window-style": `bg=${PANE_BACKGROUNDS.done}`, "window-active-style": "bg=black" } as const;

/** A tmux format that computes the worst state of a window's panes. */
function worst(): string {
  const all = `#{P:#{${PANE_OPTION}} }`;
  return FLEET_STATES.reduceRight<string>((rest, name) => `#{?#{m:*${name} *,${all}},${name},${rest}}`, "");
}

/** A pane that waits for attention counts as checked once it gets the focus. */
function onFocus(): string {
  const seen = [
    `set-option -p ${PANE_OPTION} checked`,
    `set-option -p window-style bg=${PANE_BACKGROUNDS.checked}`,
    `set-option -wF ${WINDOW_OPTION} "${worst()}"`,
  ];
  return `if-shell -F "#{==:#{${PANE_OPTION}},unchecked}" { ${seen.join(" ; ")} }`;
}

/** `install` and `uninstall` for the current tmux server, else for the one whose socket is named `fleet`. */
export async function fleet(access: SessionAccess, [action, ...more]: readonly string[]): Promise<number> {
  const { env, out } = access.context;
  if ((action !== "install" && action !== "uninstall") || more.length > 0) {
    throw sessionUsageError("fleet takes `install` or `uninstall`");
  }
  const socket = env.TMUX?.split(",")[0];
  const server = socket ? ["-S", socket] : ["-L", "fleet"];
  const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const tmux = async (...args: string[]): Promise<void> => {
    const { code } = await system.run("tmux", [...server, ...args], Object.fromEntries(known), TMUX_MS);
    if (code !== 0) throw new HookwrightError("HW_FLEET", { server: server.join(" "), command: args.join(" ") });
  };
  const isInstall = action === "install";
  if (isInstall) await tmux("set-option", "-g", "focus-events", "on");
  for (const [name, value] of Object.entries(STYLES)) {
    await (isInstall ? tmux("set-option", "-g", name, value) : tmux("set-option", "-gu", name));
  }
  for (const hook of HOOKS) {
    await (isInstall
      ? tmux("set-hook", "-g", `${hook}[${SLOT}]`, onFocus())
      : tmux("set-hook", "-gu", `${hook}[${SLOT}]`));
  }
  out(
    isInstall
      ? `Panes of this tmux server (${server.join(" ")}) show what their agents do. \`engine session fleet uninstall\` undoes this.`
      : `This tmux server (${server.join(" ")}) no longer shows what agents do.`,
  );
  return 0;
}
