import type { Ports } from "../../../core/ports.ts";

const ASK_MS = 2_000;
const SHOWN_MS = 10_000;
export const NOTIFICATION_OPTION = "@hookwright_notification";

/** Tells in the tmux in which the agent runs; outside of tmux nothing is told, and that is no error. */
export async function tellTmux(
  text: string,
  how: "message" | "option",
  ports: Ports,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const socket = env.TMUX?.split(",")[0] ?? "";
  const pane = env.TMUX_PANE ?? "";
  if (socket === "" || !/^%\d+$/.test(pane)) return;
  const tmux = (...args: string[]) => ports.run("tmux", ["-S", socket, ...args], env, ASK_MS);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal takes these as orders
  const plain = text.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ");
  if (how === "option") {
    await tmux("set-option", "-p", "-t", pane, NOTIFICATION_OPTION, plain);
    return;
  }
  // tmux expands `#{…}` in a message, and runs what stands in `#(…)`.
  const literal = plain.replaceAll("#", "##");
  const { stdout } = await tmux("list-clients", "-t", pane, "-F", "#{client_name}");
  for (const client of stdout.split("\n").filter((name) => name !== "")) {
    await tmux("display-message", "-d", String(SHOWN_MS), "-c", client, "-t", pane, literal);
  }
}
