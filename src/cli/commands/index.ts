import type { CliCommand } from "../command.ts";
import { agentsCommand } from "./agents/command.ts";
import { allowCommand } from "./allow/command.ts";
import { checkCommand } from "./check/command.ts";
import { completionsCommand } from "./completions/command.ts";
import { daemonCommand } from "./daemon/command.ts";
import { dashboardCommand } from "./dashboard/command.ts";
import { demoCommand } from "./demo/command.ts";
import { doctorCommand } from "./doctor/command.ts";
import { explainCommand } from "./explain/command.ts";
import { fleetCommand } from "./fleet/command.ts";
import { hookCommand } from "./hook/command.ts";
import { initCommand } from "./init/command.ts";
import { jobCommand } from "./job/command.ts";
import { journalCommand } from "./journal/command.ts";
import { maintainCommand } from "./maintain/command.ts";
import { mcpCommand } from "./mcp/command.ts";
import { modeCommand } from "./mode/command.ts";
import { notepadCommand } from "./notepad/command.ts";
import { ntmCommand } from "./ntm/command.ts";
import { offCommand } from "./off/command.ts";
import { onCommand } from "./on/command.ts";
import { planCommand } from "./plan/command.ts";
import { policiesCommand } from "./policies/command.ts";
import { replayCommand } from "./replay/command.ts";
import { runCommand } from "./run/command.ts";
import { sessionCommand } from "./session/command.ts";
import { skillsCommand } from "./skills/command.ts";
import { statuslineCommand } from "./statusline/command.ts";
import { swarmCommand } from "./swarm/command.ts";
import { teamsCommand } from "./teams/command.ts";
import { transcriptCommand } from "./transcript/command.ts";
import { trustCommand } from "./trust/command.ts";
import { tryCommand } from "./try/command.ts";
import { undoCommand } from "./undo/command.ts";
import { uninstallCommand } from "./uninstall/command.ts";

export const commands: readonly CliCommand[] = [
  initCommand,
  uninstallCommand,
  demoCommand,
  tryCommand,
  doctorCommand,
  policiesCommand,
  explainCommand,
  checkCommand,
  journalCommand,
  dashboardCommand,
  replayCommand,
  undoCommand,
  ntmCommand,
  planCommand,
  sessionCommand,
  runCommand,
  teamsCommand,
  modeCommand,
  swarmCommand,
  fleetCommand,
  agentsCommand,
  notepadCommand,
  skillsCommand,
  onCommand,
  offCommand,
  trustCommand,
  allowCommand,
  maintainCommand,
  transcriptCommand,
  statuslineCommand,
  completionsCommand,
  mcpCommand,
  daemonCommand,
  hookCommand,
  jobCommand,
];
