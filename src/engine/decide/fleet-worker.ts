import type { World } from "./world.ts";

/** What ntm calls the panes of the agents it starts: `name__cc_1`. */
const WORKER_TITLE = /__(?:cc|cod|gem|gmi|oll)_\d+$/;
const TMUX_MS = 2_000;

/** Ask only when it matters: it may cost a process. An agent may rename its pane, so a variable is asked first. */
export async function isFleetWorker(world: Pick<World, "env" | "facts" | "ports">): Promise<boolean> {
  const { TMUX, TMUX_PANE, HOOKWRIGHT_FLEET_WORKER } = world.env;
  if (HOOKWRIGHT_FLEET_WORKER === "1") return true;
  if (!TMUX || !TMUX_PANE) return false;
  const title = await world.facts.readLater(`tmux-title:${TMUX_PANE}`, async () => {
    const args = ["display-message", "-p", "-t", TMUX_PANE, "#{pane_title}"];
    return (await world.ports.run("tmux", args, { ...world.env }, TMUX_MS)).stdout.trim();
  });
  return WORKER_TITLE.test(title);
}
