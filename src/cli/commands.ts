import type { Command } from "./command.ts";
import { daemon } from "./commands/daemon.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { hook } from "./commands/hook.ts";
import { init } from "./commands/init.ts";
import { job } from "./commands/job.ts";
import { journal } from "./commands/journal.ts";
import { uninstall } from "./commands/uninstall.ts";

export const commands: readonly Command[] = [init, uninstall, demo, doctor, journal, daemon, hook, job];
