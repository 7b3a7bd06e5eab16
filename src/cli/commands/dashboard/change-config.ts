import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkWritable, readSettingsFile, writeSettingsFile } from "../../../agents/settings-file.ts";
import { compileConfig } from "../../../config/compile.ts";
import type { PolicyEdit } from "../../../config/edit-policies.ts";
import { HookwrightError } from "../../../core/errors.ts";
import { unifiedDiff } from "../../../core/text/unified-diff.ts";
import type { ChangeRequest } from "../../../daemon/dashboard/actions.ts";
import type { ConfigChange, ReplaySummary } from "../../../daemon/dashboard/api.ts";
import type { Home } from "../../../system/home.ts";

export interface ChangeOptions extends ChangeRequest {
  /** What another file in place of the person's configuration would have made of the last days. */
  replay(file: string): Promise<ReplaySummary | null>;
  /** Called once the file is written. */
  onChange(): void;
}

/** Changes the person's configuration, which alone may loosen anything. A change that would break it is refused. */
export async function changeConfig(
  { config }: Pick<Home, "config">,
  edit: (text: string) => PolicyEdit,
  { isPreview, isReplayed, replay, onChange }: ChangeOptions,
): Promise<ConfigChange> {
  const file = readSettingsFile(config);
  const before = file.text ?? "";
  const edited = edit(before);
  if ("detail" in edited) throw refused(config, edited.detail);
  const { problems } = await compileConfig([{ file: config, owner: "person", text: edited.text }]);
  const known = (await compileConfig([{ file: config, owner: "person", text: before }])).problems;
  const fresh = problems.filter((problem) => !known.includes(problem));
  if (fresh.length > 0) throw refused(config, fresh.join(" "));
  if (edited.text !== before) checkWritable(file);
  if (!isPreview && edited.text !== before) {
    writeSettingsFile(file, edited.text);
    onChange();
  }
  const wouldHave = isReplayed ? await withFile(edited.text, replay) : null;
  return { isPreview, file: config, diff: unifiedDiff(config, before, edited.text), wouldHave };
}

async function withFile<T>(text: string, work: (file: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookwright-change-"));
  try {
    const file = path.join(folder, "config.yml");
    fs.writeFileSync(file, text, { mode: 0o600 });
    return await work(file);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function refused(file: string, detail: string): HookwrightError {
  return new HookwrightError("HW_POLICY_EDIT", { file, detail: detail.replace(/\.$/, "") });
}
