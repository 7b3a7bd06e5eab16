/** Asked to end, a process has this long. */
const GRACE_MS = 1_000;
const STEP_MS = 25;

/** SIGTERM, and SIGKILL for one that does not listen. Returns when it is gone, or cannot be ended. */
export async function endProcess(pid: number): Promise<void> {
  if (!signal(pid, "SIGTERM")) return;
  for (let waited = 0; waited < GRACE_MS; waited += STEP_MS) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    if (!signal(pid, 0)) return;
  }
  signal(pid, "SIGKILL");
}

/** False when there is no such process any more. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
