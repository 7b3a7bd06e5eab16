/**
 * Folders that a build or a package manager makes anew, by who makes them. A name that people also give to what they
 * write themselves does not belong here: `bin`, `vendor` and `deps` are told by the file beside them.
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
/** CLion calls them by the kind of build. */
const CMAKE_BUILD = /\/cmake-build-[\w.+-]+\//;

/** Is one of the folders of a path, with a slash at both ends, such a one? */
export function isInBuildFolder(path: string): boolean {
  return STEPS.some((step) => path.includes(step)) || CMAKE_BUILD.test(path);
}

/** What a folder is made of, by the file that stands beside it. */
const MADE_BESIDE: Readonly<Record<string, RegExp>> = {
  bin: /\.(?:cs|fs|vb)proj$/,
  deps: /^mix\.exs$/,
  vendor: /^composer\.json$/,
};

/** The same for all folders of a name that are found below: one file stands for many projects. */
const MADE_BELOW: Readonly<Record<string, RegExp>> = { bin: /\.(?:slnx?|(?:cs|fs|vb)proj)$/ };

/** Does one of the files beside a folder of this name say that it is made anew? */
export function isMadeBeside(name: string, beside: () => readonly string[] | undefined, isSearch: boolean): boolean {
  const table = isSearch ? MADE_BELOW : MADE_BESIDE;
  const file = Object.hasOwn(table, name) ? table[name] : undefined;
  return file !== undefined && (beside()?.some((one) => file.test(one)) ?? false);
}
