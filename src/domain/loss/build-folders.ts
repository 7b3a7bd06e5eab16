/**
 * Folders that a build or a package manager creates again, by ecosystem. Names that people also use for folders of their
 * own work (`bin`, `vendor`, `deps`) are not listed here: the project file beside them decides (RECREATED_BESIDE).
 */
const BY_ECOSYSTEM: Readonly<Record<string, string>> = {
  general: "dist build out target coverage tmp temp .tmp .cache test-results allure-results",
  javascript: `node_modules bower_components jspm_packages .pnpm-store .next .nuxt .nitro .output .vinxi .astro .svelte-kit
    .angular .expo .turbo .parcel-cache .vite .swc .rollup.cache .sass-cache .nyc_output .jest-cache .eslintcache
    storybook-static public/build playwright-report`,
  python: `__pycache__ .pytest_cache __pypackages__ .mypy_cache .pytype .ruff_cache .tox .nox .venv venv .eggs htmlcov`,
  dotnet: "obj bin/Debug bin/Release TestResults BenchmarkDotNet.Artifacts",
  jvm: ".gradle .kotlin .bloop .metals",
  clojure: ".cpcache .shadow-cljs",
  android: ".cxx",
  apple: ".build DerivedData Pods Carthage/Build",
  dart: ".dart_tool",
  c: "CMakeFiles",
  zig: "zig-cache .zig-cache zig-out",
  haskell: ".stack-work dist-newstyle",
  elixir: "_build .elixir_ls",
  elm: "elm-stuff",
  purescript: ".spago",
  nim: "nimcache",
  d: ".dub",
  perl: "blib",
  lua: "lua_modules",
  ruby: "vendor/bundle",
  php: ".phpunit.cache",
  r: "renv/library",
  bazel: "bazel-out bazel-bin bazel-testlogs",
  buck: "buck-out",
  infrastructure: ".terraform .terragrunt-cache .serverless",
  sites: ".docusaurus .jekyll-cache _site",
};

const STEPS = Object.values(BY_ECOSYSTEM).flatMap((names) => names.split(/\s+/).map((name) => `/${name}/`));
/** CLion puts the kind of build into the name: `cmake-build-debug`. */
const CMAKE_BUILD = /\/cmake-build-[\w.+-]+\//;

/** Is any folder of this path a build folder? The path starts and ends with a slash. */
export function isInBuildFolder(path: string): boolean {
  return STEPS.some((step) => path.includes(step)) || CMAKE_BUILD.test(path);
}

/** Folder names that a build creates only where a project file of this kind stands beside them. */
const RECREATED_BESIDE: Readonly<Record<string, RegExp>> = {
  bin: /\.(?:cs|fs|vb)proj$/,
  deps: /^mix\.exs$/,
  vendor: /^composer\.json$/,
};

/** The same for a search (`find . -name bin`), which hits the folders of many projects: one project file is enough. */
const RECREATED_BELOW: Readonly<Record<string, RegExp>> = { bin: /\.(?:slnx?|(?:cs|fs|vb)proj)$/ };

/** Does a project file beside the folder show that a build creates it again? */
export function isRecreatedBeside(
  name: string,
  beside: () => readonly string[] | undefined,
  isSearch: boolean,
): boolean {
  const table = isSearch ? RECREATED_BELOW : RECREATED_BESIDE;
  const file = Object.hasOwn(table, name) ? table[name] : undefined;
  return file !== undefined && (beside()?.some((one) => file.test(one)) ?? false);
}
