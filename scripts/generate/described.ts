// The tables and texts that the generated files are made from, besides the policies.

export { CLAUDE_EVENTS } from "../../src/agents/claude-code/events.ts";
export { INSTALLABLE } from "../../src/agents/installers.ts";
export { commands } from "../../src/cli/commands/index.ts";
export { ENGINE_EVENTS } from "../../src/cli/installation/registered-events.ts";
export { help } from "../../src/cli/main.ts";
export { joinedParagraphs } from "../../src/cli/terminal/wrap.ts";
export { configPage } from "../../src/config/config-page.ts";
export { configSchema, kindText, projectPermission as allowance } from "../../src/config/config-schema.ts";
export { errorCodes, errorEntry, RETIRED_CODES } from "../../src/core/errors.ts";
export { EVENTS, GUARDED_EVENTS } from "../../src/core/event.ts";
export { byStageThenId } from "../../src/core/pipeline.ts";
export { PROFILES, packsOf } from "../../src/core/settings/profiles.ts";
export { STAGES } from "../../src/core/stages.ts";
export { EFFECT_KINDS } from "../../src/effects/effect.ts";
export { TABLES } from "../../src/effects/families.ts";
export { SCENARIOS } from "../../test/conformance/scenarios.ts";
