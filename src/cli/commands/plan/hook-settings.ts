import path from "node:path";
import { type HookSettings, readHookSettings, SETTINGS_FILE } from "../../../domain/plan/settings.ts";
import { openForeignFormats } from "../../../engine/config/foreign-formats.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";

/** The project's settings for the plan hooks. */
export async function planSettings({ env }: Pick<CommandContext, "env">, root: string): Promise<HookSettings> {
  const [patterns, { readYaml }, { readToml }] = await Promise.all([
    import("../../../config/patterns.ts"),
    import("../../../config/read-yaml.ts"),
    import("../../../config/toml.ts"),
  ]);
  const formats = openForeignFormats(homeOf(env), { readYaml, readToml, loadPatterns: () => patterns }, true);
  const file = path.join(root, SETTINGS_FILE);
  return readHookSettings(formats.readYaml(file), file);
}
