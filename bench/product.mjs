// Bundled into a scratch folder and loaded from there: what the product itself says about its layout, its wire format
// and its policies.
export { prepareVersionFolder } from "../src/cli/installation/version-folder.ts";
export { encodeFrame } from "../src/core/frame.ts";
export { PROFILES } from "../src/core/settings/profiles.ts";
export { registry } from "../src/policies/index.gen.ts";
