import type { Command } from "../command.ts";
import { allow } from "./allow/command.ts";
import { check } from "./check/command.ts";
import { daemon } from "./daemon/command.ts";
import { demo } from "./demo/command.ts";
import { doctor } from "./doctor/command.ts";
import { explain } from "./explain/command.ts";
import { hook } from "./hook/command.ts";
import { init } from "./init/command.ts";
import { job } from "./job/command.ts";
import { journal } from "./journal/command.ts";
import { maintain } from "./maintain/command.ts";
import { mcp } from "./mcp/command.ts";
import { ntm } from "./ntm/command.ts";
import { off } from "./off/command.ts";
import { on } from "./on/command.ts";
import { plan } from "./plan/command.ts";
import { policies } from "./policies/command.ts";
import { run } from "./run/command.ts";
import { session } from "./session/command.ts";
import { statusline } from "./statusline/command.ts";
import { teams } from "./teams/command.ts";
import { trust } from "./trust/command.ts";
import { undo } from "./undo/command.ts";
import { uninstall } from "./uninstall/command.ts";

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
