/**
 * One way to write a command. A word that is not described here leaves the whole command to the person, so a dangerous
 * option needs no entry: it is enough that it is missing. `options` has one text:
 * - `--stat` is an option without a value
 * - `-n=` takes a value, in the same word or as the next one; `--color=?` only in the same word, and it may be left out
 * - `-[al]` is any of these letters, also several in one word
 * - `-#` is a number, such as `-5`
 */
export interface Form {
  /** How the line begins; `a|b` is a choice of words. */
  readonly start: string;
  readonly options?: string;
  /** One of these options has to be there. */
  readonly needs?: string;
  /**
   * - files: files, folders and revisions; none of them outside the project
   * - names: plain names, such as that of a remote
   * Left out: there may be none.
   */
  readonly operands?: "files" | "names";
}

interface Group {
  readonly about: string;
  readonly forms: readonly Form[];
}

const FILTERS = "-w -b -M -C -R --find-renames=? --diff-filter= -S= -G= -U= --unified= --inter-hunk-context=";
const DIFF =
  `-p -u --patch --no-patch --stat=? --numstat --shortstat --dirstat=? --summary --name-only --name-status --check -z --raw --minimal ` +
  `--patience --histogram --word-diff=? --color=? --no-color --no-ext-diff --no-textconv --ignore-all-space ` +
  `--ignore-space-change --ignore-blank-lines --abbrev=? --full-index --exit-code --quiet --submodule=? ${FILTERS}`;
const LOG =
  `-# -n= --max-count= --skip= --oneline --graph --all --branches=? --tags=? --remotes=? --decorate=? --no-decorate ` +
  `--pretty=? --format= --date= --since= --after= --until= --before= --author= --committer= --grep= -i -E -F --all-match ` +
  `--invert-grep --merges --no-merges --first-parent --reverse --follow --topo-order --date-order --abbrev-commit ` +
  `--no-abbrev-commit --left-right --cherry-pick --ancestry-path --simplify-by-decoration -L= --no-notes -m -c --cc ${DIFF}`;
const LISTED = "--sort= --format= --contains= --no-contains= --merged= --no-merged= --points-at= --color=? --no-color";

const CARGO =
  "--release --workspace --all --all-targets --all-features --no-default-features --features= -p= --package= --lib --bins " +
  "--tests --examples --benches --locked --offline --frozen --no-fail-fast --no-run -[qv] --quiet --verbose";
const PYTEST =
  "-[qvsxl] -k= -m= -n= -r= --tb= --maxfail= --durations= --lf --last-failed --ff --failed-first --nf --sw --stepwise " +
  "--co --collect-only --exitfirst --no-header --no-summary --disable-warnings --color= --cov=? -#";
const LS =
  "-[aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1] --all --almost-all --human-readable --recursive --reverse --size --directory " +
  "--inode --classify --full-time --group-directories-first --sort= --time= --time-style= --color=?";

/** A script of `package.json`. Only npm has options of its own here: others hand theirs to the script. */
function script(name: string, operands?: Form["operands"]): Form[] {
  const more = operands === undefined ? {} : { operands };
  return [
    { start: `npm run ${name}`, options: "-s --silent --if-present -ws --workspaces", ...more },
    { start: `pnpm|yarn|bun run ${name}`, ...more },
    { start: `pnpm|yarn ${name}`, ...more },
  ];
}

/** What a person can have approved. No form has anything that writes outside of what a build or a test run makes. */
export const GROUPS = {
  "git-read": {
    about: "looks at the repository",
    forms: [
      {
        start: "git status",
        options: "-[sbvz] --short --branch --long --porcelain=? --show-stash --ignored=? -u=? --untracked-files=?",
        operands: "files",
      },
      { start: "git diff", options: `--cached --staged --merge-base ${DIFF}`, operands: "files" },
      { start: "git log", options: LOG, operands: "files" },
      { start: "git show", options: LOG, operands: "files" },
      { start: "git branch", options: `-[arv] --all --remotes --verbose --list --show-current ${LISTED}` },
      { start: "git branch", options: `-[arv] --list ${LISTED}`, needs: "--list", operands: "names" },
      { start: "git tag", options: `-l --list ${LISTED}` },
      { start: "git tag", options: `-l --list ${LISTED}`, needs: "-l --list", operands: "names" },
      { start: "git remote", options: "-v --verbose" },
      { start: "git remote get-url", options: "--all --push", operands: "names" },
      { start: "git stash list", options: "-# --oneline --stat --date=" },
      { start: "git worktree list", options: "-v --verbose --porcelain" },
      { start: "git reflog", options: "-# -n= --date=" },
      { start: "git blame", options: "-L= -[wMCslef] --date= --porcelain", operands: "files" },
      { start: "git grep", options: "-[niIlLwcEFPhHWpvoq] --cached --untracked -e= -A= -B= -C=", operands: "files" },
      {
        start: "git ls-files",
        options: "-[cdmosutvkz] --others --exclude-standard --modified --deleted",
        operands: "files",
      },
      { start: "git ls-tree", options: "-[rtdlz] --name-only --full-tree", operands: "files" },
      {
        start: "git rev-parse",
        options: "--show-toplevel --show-prefix --git-dir --is-inside-work-tree --abbrev-ref=? --short=? --verify -q",
        operands: "files",
      },
      {
        start: "git rev-list",
        options: "--count --all --left-right -n= --max-count= -# --since= --until=",
        operands: "files",
      },
      { start: "git merge-base", options: "--is-ancestor --all --fork-point", operands: "files" },
      {
        start: "git describe",
        options: "--tags --all --always --dirty=? --long --abbrev= --match=",
        operands: "files",
      },
    ],
  },
  "git-fetch": {
    about: "fetches from a remote of the repository",
    forms: [{ start: "git fetch", options: "--all --tags -t -q --quiet -v --verbose --dry-run", operands: "names" }],
  },
  tests: {
    about: "runs the project's tests, so code of the project",
    forms: [
      { start: "npm|pnpm|yarn|bun test", operands: "files" },
      ...script("test", "files"),
      ...script("check"),
      { start: "pytest", options: PYTEST, operands: "files" },
      { start: "python|python3 -m pytest", options: PYTEST, operands: "files" },
      { start: "cargo test", options: CARGO, operands: "names" },
      {
        start: "go test",
        options: "-v -race -short -failfast -cover -json -count= -run= -skip= -timeout= -parallel= -tags=",
        operands: "files",
      },
      { start: "node --test", operands: "files" },
    ],
  },
  lint: {
    about: "runs linters without repairs, with the project's configuration",
    forms: [
      ...script("lint"),
      {
        start: "eslint",
        options: "--ext= --max-warnings= --quiet --color --no-color --no-warn-ignored --no-error-on-unmatched-pattern",
        operands: "files",
      },
      {
        start: "prettier",
        options:
          "-[clu] --check --list-different --ignore-unknown --no-color --log-level= --no-error-on-unmatched-pattern",
        needs: "-c -l --check --list-different",
        operands: "files",
      },
      { start: "cargo clippy", options: CARGO },
      { start: "go vet", operands: "files" },
    ],
  },
  typecheck: {
    about: "checks types and writes nothing that runs",
    forms: [
      ...script("typecheck"),
      { start: "tsc", options: "--noEmit --pretty --strict --skipLibCheck -p= --project=", needs: "--noEmit" },
      { start: "cargo check", options: CARGO },
    ],
  },
  build: {
    about: "builds the project as it is configured",
    forms: [
      ...script("build"),
      { start: "tsc", options: "-p= --project= -b --build --force --verbose --pretty" },
      { start: "cargo build", options: CARGO },
      { start: "go build", options: "-v -race -tags=", operands: "files" },
    ],
  },
  list: {
    about: "lists files of the project",
    forms: [{ start: "ls", options: LS, operands: "files" }, { start: "pwd" }],
  },
} as const satisfies Record<string, Group>;

export type GroupName = keyof typeof GROUPS;

/** Never empty, as a list of choices must not be. */
export const GROUP_NAMES = Object.keys(GROUPS) as [GroupName, ...GroupName[]];

/** Options between `git` and its command that change only how the answer looks. */
export const LEADING: Readonly<Record<string, readonly string[]>> = {
  git: ["--no-pager", "--no-optional-locks"],
};

/** Every group with how its commands begin. */
export function groupsText(): string {
  return GROUP_NAMES.map((name) => {
    const { about, forms }: Group = GROUPS[name];
    const starts = [...new Set(forms.map(({ start }) => `\`${start.replaceAll("|", "/")}\``))];
    return `\`${name}\` ${about}: ${starts.join(", ")}.`;
  }).join(" ");
}
