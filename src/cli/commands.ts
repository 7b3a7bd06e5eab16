import type { Command } from "./command.ts";
import { allow } from "./commands/allow.ts";
import { check } from "./commands/check.ts";
import { daemon } from "./commands/daemon.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { explain } from "./commands/explain.ts";
import { hook } from "./commands/hook.ts";
import { init } from "./commands/init.ts";
import { job } from "./commands/job.ts";
import { journal } from "./commands/journal.ts";
import { maintain } from "./commands/maintain.ts";
import { mcp } from "./commands/mcp.ts";
import { ntm } from "./commands/ntm.ts";
import { off } from "./commands/off.ts";
import { on } from "./commands/on.ts";
import { plan } from "./commands/plan.ts";
import { policies } from "./commands/policies.ts";
import { run } from "./commands/run.ts";
import { session } from "./commands/session.ts";
import { statusline } from "./commands/statusline.ts";
import { teams } from "./commands/teams.ts";
import { trust } from "./commands/trust.ts";
import { undo } from "./commands/undo.ts";
import { uninstall } from "./commands/uninstall.ts";

export const commands: readonly Command[] = [
  init,
  uninstall,
  demo,
  doctor,
  policies,
  explain,
  check,
  journal,
  undo,
  ntm,
  plan,
  session,
  run,
  teams,
  on,
  off,
  trust,
  allow,
  maintain,
  statusline,
  mcp,
  daemon,
  hook,
  job,
];
