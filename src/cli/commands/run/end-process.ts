/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 1_000;
const STEP_MS = 25;

/** Sends SIGTERM, and after the grace time SIGKILL. Returns when the process has ended or SIGKILL was sent. */
export async function endProcess(pid: number): Promise<void> {
  if (!signal(pid, "SIGTERM")) return;
  for (let waited = 0; waited < GRACE_MS; waited += STEP_MS) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    if (!signal(pid, 0)) return;
  }
  signal(pid, "SIGKILL");
}

/** False when the process no longer exists. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
