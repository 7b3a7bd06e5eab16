import type { UsualGoal } from "./goal-names.ts";

/** A tool that checks a goal. */
export interface CheckRow {
  readonly names: readonly string[];
  /** The operands it begins with; one of these. */
  readonly verbs: readonly (readonly string[])[];
  /** Options of which one is needed. */
  readonly needs: readonly string[];
  /** Options with which it is another check. */
  readonly unless: readonly string[];
  /** Options that take the next word as their value. */
  readonly values: readonly string[];
  /** Options with which it checks a part only, beside the usual ones. */
  readonly filters: readonly string[];
  /**
   * Which operands leave the check whole.
   * - none: an operand selects a part
   * - folders: any but a single file or test
   * - packages: a pattern of packages that ends in `...`
   * - any
   */
  readonly operands: "none" | "folders" | "packages" | "any";
}

type Extra = Partial<Record<"needs" | "unless" | "values" | "filters", string>> & Pick<Partial<CheckRow>, "operands">;

/** `"mvn|mvnw test|verify"`: names, then the words it begins with, in which `/` joins two words. */
function row(text: string, { operands = "none", ...options }: Extra = {}): CheckRow {
  const [names = "", verbs = ""] = text.split(" ");
  const list = (value = ""): readonly string[] => value.split(" ").filter(Boolean);
  return {
    names: names.split("|"),
    // The longest first, because fewer words fit more commands.
    verbs: verbs
      .split("|")
      .map((verb) => verb.split("/").filter(Boolean))
      .sort((a, b) => b.length - a.length),
    needs: list(options.needs),
    unless: list(options.unless),
    values: list(options.values),
    filters: list(options.filters),
    operands,
  };
}

const JEST = "-c --config --reporter --reporters --maxWorkers --testTimeout --env --environment --pool --root --mode";
const MAVEN = {
  values: "-f --file -s --settings -T --threads",
  filters: "-pl --projects -rf",
  operands: "any",
} as const;
const GRADLE = { values: "-p --project-dir -x --exclude-task", operands: "any" } as const;
const CARGO = {
  values: "-F --features --target -j --jobs --profile --manifest-path --test-threads --color",
  filters: "-p --package --bin --test --example --lib --doc --exclude",
} as const;
const GO = {
  values: "-timeout -count -parallel -p -tags -coverprofile -cpu -mod -ldflags -o -covermode",
  filters: "-run -skip -bench",
  operands: "packages",
} as const;
const MAKE = { values: "-C --directory -f --file", unless: "-i -n -q -t --question --touch --ignore-errors" } as const;
const BAZEL = { operands: "packages" } as const;
const FOLDERS = { operands: "folders" } as const;
const TASKS = { values: "--filter -F --concurrency", filters: "--filter -F --affected", operands: "any" } as const;

const tables = new Map<UsualGoal, readonly CheckRow[]>();

/** Commands that check a goal where none is named. Made when first asked for, because most sessions have no mode. */
export function checksOf(goal: UsualGoal): readonly CheckRow[] {
  const known = tables.get(goal) ?? TABLES[goal]();
  tables.set(goal, known);
  return known;
}

const TABLES: Readonly<Record<UsualGoal, () => readonly CheckRow[]>> = {
  tests: () => [
    row("vitest run", { values: JEST, filters: "--project --dir" }),
    row("vitest", { values: JEST, filters: "--project --dir", unless: "-w" }),
    row("jest", { values: JEST, filters: "-o --selectProjects" }),
    row("mocha", {
      values: "-R --reporter --timeout -r --require --config -p",
      filters: "-f --fgrep",
      unless: "-w",
      ...FOLDERS,
    }),
    row("ava|tap|japa"),
    row("playwright test", { values: "-c --config --reporter -j --workers --retries", filters: "--project" }),
    row("cypress run", { values: "--browser -b --config --config-file", filters: "-s --spec" }),
    row("node", { needs: "--test", ...FOLDERS }),
    row("deno test|task/test", { values: "-c --config", ...FOLDERS }),
    row("pytest|py.test", {
      values: "-n --maxfail --tb --cov --cov-report -p -c --rootdir -o --durations -W --timeout --color",
      filters: "-m --ignore --ignore-glob --deselect --sw --stepwise --nf",
      ...FOLDERS,
    }),
    row("unittest discover|", { values: "-s -p -t", filters: "-p" }),
    row("tox|nox|nose2", { filters: "-e -s" }),
    row("manage.py test", { values: "--settings --parallel" }),
    row("cargo test|t|nextest/run", CARGO),
    row("go test", GO),
    row("gotestsum", GO),
    row("make|gmake test|tests|check", MAKE),
    row("just|task test|tests"),
    row("mvn|mvnw test|verify|install|clean/test|clean/verify|clean/install", MAVEN),
    row("gradle|gradlew test|check|build|clean/test|clean/build", { ...GRADLE, filters: "--tests -x --exclude-task" }),
    row("dotnet test", {
      values: "-c --configuration -v --verbosity --logger",
      filters: "-f --framework",
      operands: "any",
    }),
    row("rspec", { values: "-f --format -r --require", filters: "-e --example", ...FOLDERS }),
    row("rake test|spec"),
    row("rails test", FOLDERS),
    row("phpunit|pest", { values: "-c --configuration", filters: "--group --testsuite", ...FOLDERS }),
    row("composer test|run/test"),
    row("artisan test"),
    row("mix test", { filters: "--only --failed --stale --exclude" }),
    row("swift test", { values: "-c --configuration" }),
    row("ctest", { values: "-j --parallel --test-dir -C", filters: "-R -E -L -I" }),
    row("meson test", { values: "-C" }),
    row("ninja test", { values: "-C -j" }),
    row("bazel|bazelisk test", BAZEL),
    row("sbt test"),
    row("lein|stack|cabal|flutter|dart test", FOLDERS),
    row("turbo|nx|lerna test|run/test|run-many/test", TASKS),
  ],
  build: () => [
    row("tsc", { unless: "--noEmit -w", values: "-p --project" }),
    row("vite|next|nuxt|astro|remix|ng|expo build", { operands: "any" }),
    row("webpack|rollup|tsup|unbuild|parcel |build", { operands: "any" }),
    row("cargo build|b", CARGO),
    row("go build", GO),
    row("make|gmake |all|build", MAKE),
    row("just|task build"),
    row("mvn|mvnw compile|package|verify|install|clean/package|clean/install", MAVEN),
    row("gradle|gradlew build|assemble|clean/build", GRADLE),
    row("dotnet build", { values: "-c --configuration -v --verbosity", operands: "any" }),
    row("cmake", { needs: "--build", values: "-j --parallel --config", filters: "--target -t", operands: "any" }),
    row("ninja |all", { values: "-C -j" }),
    row("meson compile", { values: "-C" }),
    row("bazel|bazelisk build", BAZEL),
    row("mix|sbt compile"),
    row("swift|stack|cabal|flutter build", { operands: "any" }),
    row("build", { operands: "any" }),
    row("docker|podman build|compose/build", { values: "-t --tag -f --file --build-arg --target", operands: "any" }),
    row("turbo|nx|lerna build|run/build", TASKS),
  ],
  lint: () => [
    row("eslint|oxlint|stylelint|standard|xo", {
      values: "-c --config --ext --max-warnings -f --format --ignore-pattern --cache-location",
      ...FOLDERS,
    }),
    row("biome check|lint|ci", { values: "--max-diagnostics --config-path --diagnostic-level", ...FOLDERS }),
    row("prettier", { needs: "--check -c", ...FOLDERS }),
    row("ruff check", { values: "--config --output-format", filters: "--select", unless: "--exit-zero", ...FOLDERS }),
    row("flake8|pylint", { values: "--config --rcfile --max-line-length", unless: "--exit-zero", ...FOLDERS }),
    row("black|isort", { needs: "--check --check-only -c", ...FOLDERS }),
    row("cargo clippy", CARGO),
    row("golangci-lint run", { values: "-c --config --timeout", unless: "--issues-exit-code", operands: "packages" }),
    row("go vet", GO),
    row("make|gmake lint", MAKE),
    row("just|task lint"),
    row("rubocop|ktlint|phpcs|swiftlint|shellcheck|hadolint", { operands: "any" }),
    row("mix credo"),
    row("pre-commit run", { needs: "-a --all-files" }),
    row("turbo|nx|lerna lint|run/lint", TASKS),
  ],
  typecheck: () => [
    row("tsc|vue-tsc", { needs: "--noEmit -b --build", values: "-p --project" }),
    row("tsgo", { needs: "--noEmit", values: "-p --project" }),
    row("svelte-check", { values: "--tsconfig --threshold" }),
    row("astro|deno check", FOLDERS),
    row("mypy|pyright|basedpyright|pytype|ty", { values: "-p --project --config-file --python-version", ...FOLDERS }),
    row("cargo check|c", CARGO),
    row("flow check|"),
    row("make|gmake typecheck|type-check|types", MAKE),
    row("just|task typecheck|types"),
    row("srb tc"),
    row("phpstan analyse|analyze", { values: "-c --configuration -l --level", ...FOLDERS }),
    row("turbo|nx|lerna typecheck|run/typecheck|check-types|run/check-types", TASKS),
  ],
};

/** Scripts of package.json by what they check. */
export const SCRIPTS: Readonly<Record<UsualGoal, ReadonlySet<string>>> = {
  tests: new Set(["test", "tests", "t", "tst"]),
  build: new Set(["build"]),
  lint: new Set(["lint"]),
  typecheck: new Set(["typecheck", "type-check", "check-types", "types", "tsc"]),
};

/** Options that select a part of what there is to check, in several tools. */
export const FILTERS: ReadonlySet<string> = new Set(
  [
    "-t -k -g --grep --testNamePattern --testPathPattern --testPathPatterns --test-name-pattern --filter --only",
    "--changed --onlyChanged --related --findRelatedTests --shard --last-failed --lf --failed-first --since --scope",
  ].flatMap((line) => line.split(" ")),
);

/** Options with which a tool checks nothing, or succeeds whatever it finds. */
export const NOT_A_CHECK: ReadonlySet<string> = new Set(
  [
    "--help -h --version -V --list --list-tests --listTests --collect-only --co --dry-run --dryrun --just-print --no-run",
    "--if-present --passWithNoTests --pass-with-no-tests --watch --watchAll --ui --showConfig --print-config --init",
    "--fail-never -fn --continue-on-error --no-fail",
  ].flatMap((line) => line.split(" ")),
);
