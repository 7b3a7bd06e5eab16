import { chmodSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HookFault, World } from "./driver.ts";

/**
 * Breaks what a plugin of ours needs. It starts no compiled client: without a daemon it starts the Node that `node.path`
 * names, and a daemon is started by the same.
 */
export function breakPlugin({ scratch }: World, fault: HookFault): void {
  const versions = join(scratch.hookwrightHome, "versions");
  for (const version of readdirSync(versions)) {
    const folder = join(versions, version);
    if (fault === "missing") {
      renameSync(folder, `${folder}.away`);
      continue;
    }
    const broken = join(folder, "broken-node");
    writeFileSync(broken, fault === "slow" ? "#!/bin/sh\nexec sleep 60\n" : "#!/bin/sh\nkill -9 $$\n");
    chmodSync(broken, 0o755);
    writeFileSync(join(folder, "node.path"), `${broken}\n`);
  }
}
