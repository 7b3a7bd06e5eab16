import type { Plugin } from "esbuild";

export const lazyModules: Plugin;
