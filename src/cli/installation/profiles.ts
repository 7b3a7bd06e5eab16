import { checkWritable, readSettingsFile, type SettingsFile, withErrorPosition } from "../../agents/settings-file.ts";
import { PROFILE_TEXT } from "../../config/config-schema.ts";
import { profilesIn, withProfiles } from "../../config/edit-profiles.ts";
import { HookwrightError } from "../../core/errors.ts";
import { DEFAULT_PROFILES, isProfile, PROFILES, type ProfileName } from "../../core/settings/profiles.ts";
import { readTrust, standingOf } from "../../engine/config/trust.ts";
import type { CommandContext } from "../command.ts";
import { isInteractive, type Questions, type Terminal } from "../terminal/confirm.ts";
import { table } from "../terminal/style.ts";
import { readProfiles, type Setup } from "./setup-options.ts";

/** The profiles of an installation, and the file edit that sets them. */
export interface ProfileChoice {
  readonly names: readonly ProfileName[];
  /** Where the profiles are set, as words that follow the names. */
  readonly from: string;
  /** The configuration file with its new text; undefined when it is not changed. */
  readonly edit: { readonly file: SettingsFile; readonly text: string } | undefined;
  /** The profiles for `--profile` in the registered commands. */
  readonly fixed: readonly ProfileName[];
}

interface ProfileQuestions {
  readonly questions: Questions;
  readonly terminal: Terminal;
  /** Hookwright is already installed here, so the profiles change only on request. */
  readonly isAgain: boolean;
}

/** Undefined when the person was asked and gave no answer. */
export async function chooseProfiles(
  context: CommandContext,
  setup: Setup,
  settings: SettingsFile,
  { questions, terminal, isAgain }: ProfileQuestions,
): Promise<ProfileChoice | undefined> {
  const config = setup.config === undefined ? undefined : readSettingsFile(setup.config);
  const configured = config && profilesIn(config.text ?? "");
  const registered = withErrorPosition(setup.file, () =>
    setup.installer.profilesIn(settings.text, setup.isOurs),
  ).filter(isProfile);
  const known = configured ?? (registered.length > 0 ? registered : undefined);
  let wanted = setup.profiles.length > 0 ? setup.profiles : known;
  if (wanted === undefined && !isAgain && !setup.yes && isInteractive(terminal)) {
    const answer = await askForProfiles(context, setup, questions);
    if (answer === undefined) return undefined;
    if (answer.length > 0) wanted = answer;
  }
  if (config === undefined) {
    const from = wanted ? `named by the commands in ${setup.file}` : "everybody's own configuration decides";
    return { names: wanted ?? [], from, edit: undefined, fixed: wanted ?? [] };
  }
  const unsaid = setup.scope === "project" ? "the project adds none" : "the default";
  const from = wanted ? `in ${config.path}` : unsaid;
  const names = wanted ?? (setup.scope === "project" ? [] : DEFAULT_PROFILES);
  const edit = wanted === undefined || wanted === configured ? undefined : editOf(config, wanted);
  return { names, from, edit, fixed: [] };
}

function editOf(file: SettingsFile, names: readonly ProfileName[]): ProfileChoice["edit"] {
  const edited = withProfiles(file.text ?? "", names);
  if ("text" in edited) {
    if (edited.text === file.text) return undefined;
    checkWritable(file);
    return { file, text: edited.text };
  }
  const { place, detail } = edited;
  throw new HookwrightError("HW_CONFIG_EDIT", { file: file.path, ...place, detail, profiles: names.join(", ") });
}

/** An empty list means the default. */
async function askForProfiles(
  context: CommandContext,
  { scope }: Setup,
  questions: Questions,
): Promise<ProfileName[] | undefined> {
  const rows = PROFILES.map((name) => [`  ${name}`, PROFILE_TEXT[name]]);
  const standard = scope === "user" || scope === "local" ? DEFAULT_PROFILES.join(", ") : "none";
  context.out(`Profiles, each a group of policies:\n${table(rows)}`);
  for (;;) {
    const answer = await questions.ask(`Which of them? Names, separated by commas [${standard}]: `);
    if (answer === undefined) return undefined;
    const given = answer
      .trim()
      .split(/[\s,]+/)
      .filter((name) => name !== "");
    if (given.length === 0) return [];
    try {
      return readProfiles("init", given.join(","));
    } catch (error) {
      if (!(error instanceof HookwrightError)) throw error;
      context.out(`${error.message} ${error.fix}`);
    }
  }
}

/** A note when the edit changes a file that the person has trusted: the trust ends with the change. */
export function trustNote({ home, scope }: Setup, { edit }: ProfileChoice): string {
  const bytes = edit?.file.bytes;
  if (scope !== "project" || edit === undefined || bytes === undefined) return "";
  const isTrusted = standingOf(readTrust(home.root), edit.file.path, bytes) === "trusted";
  return isTrusted ? `You had trusted ${edit.file.path} as it was: run \`hookwright trust\` to trust it as it is.` : "";
}

/** Notes about unexpected consequences of this choice of profiles. */
export function profileNotes(profiles: readonly ProfileName[]): string[] {
  return profiles.includes("safety") ? [] : ["The profile `safety` is not on: no command and no file is guarded."];
}
