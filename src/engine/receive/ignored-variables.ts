export interface SettingsText {
  readonly file: string;
  /** Undefined: there is no such file. */
  readonly text: string | undefined;
}

export interface IgnoredVariables {
  /** Names that must count as not set. */
  readonly ignored: string[];
  /** The files that set them. */
  readonly from: string[];
}

const PREFIX = "HOOKWRIGHT_";

/**
 * An agent puts the `env` of its settings files into the environment of every hook. Files that come with a project
 * would so reach the guard's own switches; what they set is taken out by name, whatever value arrived.
 */
export function ignoredVariables(
  env: Readonly<Record<string, string | undefined>>,
  settingsTexts: readonly SettingsText[],
): IgnoredVariables {
  const ignored = new Set<string>();
  const from = new Set<string>();
  for (const { file, text } of settingsTexts) {
    for (const name of text === undefined ? [] : namesIn(text)) {
      if (!name.startsWith(PREFIX) || env[name] === undefined) continue;
      ignored.add(name);
      from.add(file);
    }
  }
  return { ignored: [...ignored], from: [...from] };
}

function namesIn(text: string): string[] {
  // A cheap look first: this runs for every event, and hardly any project has such a line. Letters may be escaped.
  if (!text.includes(PREFIX) && !text.includes("\\u")) return [];
  let settings: unknown;
  try {
    settings = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // The agent cannot read it either, so it sets nothing.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  if (typeof settings !== "object" || settings === null || !("env" in settings)) return [];
  const { env } = settings;
  return typeof env === "object" && env !== null && !Array.isArray(env) ? Object.keys(env) : [];
}
