// Bundled into a scratch folder and loaded from there: what the product itself says about its layout and profiles.
export { prepareVersionFolder } from "../src/cli/version-folder.ts";
export { PROFILES } from "../src/core/profiles.ts";
