import type { OptionSpec } from "../options.ts";

/** A program whose only purpose is to start another one. */
export interface Launcher extends OptionSpec {
  /** Options with which it starts a shell when no command is given; or `always`. */
  readonly shell?: string;
  /** Options whose value is a shell line. */
  readonly line?: string;
  /** Operands that come before the command. */
  readonly skip?: number;
  /** `NAME=value` words may come before the command. */
  readonly assignments?: true;
  /** Options with which nothing is started. */
  readonly idle?: string;
  /** Options with which its exit status says nothing about the command. */
  readonly detached?: string;
  /** Its exit status never says anything about the command. */
  readonly vague?: true;
  /** Options that name the folder to run in. */
  readonly folder?: string;
  readonly remote?: true;
  /** It joins its words to one line for a shell. */
  readonly joins?: true;
  /** Options with which it joins them. */
  readonly joinsWith?: string;
  /** A builtin: the command runs in the same shell. */
  readonly builtin?: true;
  /** As `env`: `-S` has words in a string, and a single dash is an option. */
  readonly splits?: true;
  /** `-10` is a number and not options. */
  readonly numeric?: true;
  /** It runs in folders that the line does not name. */
  readonly everywhere?: true;
  /** It removes the first `--`, also after the command: `npm exec x -- --flag`. */
  readonly dropsDashes?: true;
}

const TIMEOUT: Launcher = {
  short: "s:k:fpv",
  long: "signal: kill-after: foreground preserve-status verbose help version",
  skip: 1,
};
const TRACE: Launcher = {
  short: "a:A:b:e:E:I:l:n:o:O:p:P:s:S:u:U:x:X:cCdDfFhiknqrtTvVwyYzZ",
  idle: "p V h",
};

const NPX: Launcher = {
  short: "p:c:qwy",
  line: "c call",
  long: "package: call: workspace: yes no quiet silent prefer-offline ignore-existing bun no-install",
};

/** Launchers by name, with the options of their manuals. A missing option only makes a line less certain. */
export const LAUNCHERS: Readonly<Record<string, Launcher>> = {
  sudo: {
    short: "AbBEeHiKklNnPsSvVC:D:g:h:p:R:r:t:T:U:u:",
    long: "askpass background bell close-from: chdir: preserve-env:: edit group: set-home help host: login remove-timestamp reset-timestamp list no-update non-interactive preserve-groups prompt: chroot: role: stdin shell type: command-timeout: other-user: user: version validate",
    idle: "l v V K e edit list validate version help remove-timestamp",
    detached: "b background",
    folder: "D chdir",
    assignments: true,
    shell: "s shell i login",
  },
  doas: { short: "C:a:u:nsL", idle: "C L", assignments: true, shell: "s" },
  env: {
    short: "iv0u:C:S:a:",
    long: "ignore-environment null unset: chdir: split-string: argv0: debug block-signal:: default-signal:: ignore-signal:: list-signal-handling help version",
    folder: "C chdir",
    assignments: true,
    splits: true,
  },
  nice: { short: "n:", long: "adjustment: help version", numeric: true },
  ionice: {
    short: "c:n:p:P:u:thV",
    long: "class: classdata: pid: pgid: uid: ignore help version",
    idle: "p P u pid pgid uid",
  },
  nohup: { long: "help version" },
  timeout: TIMEOUT,
  gtimeout: TIMEOUT,
  time: {
    short: "apvqVf:o:",
    long: "append portability verbose quiet format: output: help version",
    idle: "V help version",
  },
  stdbuf: { short: "i:o:e:", long: "input: output: error: help version" },
  setsid: { short: "cfwhV", long: "ctty fork wait help version", vague: true },
  chroot: { long: "userspec: groups: skip-chdir help version", skip: 1, remote: true, shell: "always" },
  command: { short: "pvV", idle: "v V", builtin: true },
  builtin: { builtin: true },
  exec: { short: "cla:", builtin: true },
  watch: {
    short: "bcCdegn:pq:rtwxhv",
    long: "beep color no-color differences:: errexit chgexit interval: precise equexit: no-rerun no-title no-wrap exec help version",
    vague: true,
    joins: true,
  },
  ssh: {
    short: "46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:",
    skip: 1,
    idle: "V G Q O",
    detached: "f",
    remote: true,
    joins: true,
    shell: "always",
  },
  npx: NPX,
  bunx: NPX,
  pnpx: NPX,
  caffeinate: { short: "dimsut:w:" },
  chronic: { short: "ev" },
  chrt: { short: "abdfimoprRvhVT:P:D:", skip: 1, idle: "m p" },
  entr: { short: "acdnprsxz", vague: true },
  gosu: { skip: 1 },
  ltrace: TRACE,
  pkexec: { long: "user: disable-internal-agent keep-cwd help version" },
  strace: TRACE,
  "su-exec": { skip: 1 },
  taskset: { short: "apchV", long: "all-tasks pid cpu-list help version", skip: 1, idle: "p pid" },
  unbuffer: { short: "p" },
  catchsegv: {},
  "cross-env": { assignments: true },
  "cross-env-shell": { assignments: true, joins: true },
  "dbus-run-session": { long: "config-file: help version" },
  dotenv: { short: "e:f:v:c", long: "file: no-override" },
  "dumb-init": { short: "cvr:" },
  fakeroot: { short: "s:i:bl:", long: "lib: faked:" },
  firejail: { long: "quiet noprofile private net: profile:" },
  hyperfine: {
    short: "w:r:m:M:p:c:s:n:iN",
    long: "warmup: runs: min-runs: max-runs: prepare: cleanup: shell: export-json: export-markdown: ignore-failure show-output",
    vague: true,
    joins: true,
  },
  nodemon: { short: "x:e:w:i:V", long: "exec: ext: watch: ignore: delay:", vague: true },
  nsenter: { short: "at:mupinUCGSrwF", long: "all target: mount uts ipc net pid user cgroup root wd no-fork" },
  numactl: { short: "C:N:m:p:ilsH" },
  prlimit: { short: "n:u:p:", long: "pid: nproc: nofile:" },
  proxychains: { short: "qf:" },
  proxychains4: { short: "qf:" },
  rlwrap: { short: "acf:H:nrs:" },
  runcon: { short: "t:u:r:l:c", skip: 1 },
  sshpass: { short: "p:f:d:e" },
  setpriv: {
    short: "dh",
    long: "reuid: regid: clear-groups keep-groups init-groups groups: inh-caps: ambient-caps: bounding-set: no-new-privs dump",
  },
  shx: {},
  "systemd-run": {
    short: "tPqdSGu:p:E:",
    long: "user scope unit: property: setenv: uid: gid: wait pipe pty quiet shell collect same-dir on-active: slice:",
    vague: true,
  },
  tini: { short: "svwgp:e:" },
  torsocks: {},
  torify: {},
  "xvfb-run": { short: "ae:f:hln:p:s:w:", long: "auto-servernum server-num: server-args: error-file: wait:" },
  unshare: {
    short: "fimnpuUCrTR:w:S:G:c",
    long: "fork map-root-user mount uts ipc net pid user cgroup kill-child root: wd:",
  },
  valgrind: { long: "tool: leak-check: log-file: error-exitcode: quiet" },
  watchexec: { short: "w:e:i:crsp", long: "watch: exts: ignore: clear restart shell:", vague: true, joins: true },
};

/** Programs that start a command when their first operand is `word`: `uv run …`. */
export const SUBCOMMAND_LAUNCHERS: Readonly<Record<string, { readonly word: string } & Launcher>> = {
  "aws-vault": { word: "exec", skip: 1, long: "duration: region: no-session" },
  bundle: { word: "exec" },
  conda: { word: "run", short: "n:p:", long: "name: prefix: no-capture-output live-stream" },
  devbox: { word: "run", short: "c:qe:", long: "config: env: quiet" },
  doppler: { word: "run", short: "p:c:", long: "project: config: command:", line: "command" },
  fnm: { word: "exec", long: "using:" },
  guix: { word: "shell|environment", short: "CNPfDm:L:", long: "container network pure file: manifest: ad-hoc" },
  hatch: { word: "run" },
  incus: { word: "exec", skip: 1, remote: true },
  infisical: { word: "run", long: "env: path: projectId:" },
  ip: { word: "netns", skip: 2 },
  limactl: { word: "shell", long: "workdir:", skip: 1, remote: true },
  lxc: { word: "exec", skip: 1, remote: true },
  mamba: { word: "run", short: "n:p:", long: "name: prefix:" },
  micromamba: { word: "run", short: "n:p:" },
  multipass: { word: "exec", short: "d:", long: "working-directory:", skip: 1, remote: true },
  nvm: { word: "exec", skip: 1 },
  op: { word: "run", long: "env-file: no-masking account:" },
  pdm: { word: "run" },
  perf: { word: "stat", short: "e:r:d", long: "event: repeat: detailed" },
  pixi: { word: "run", short: "e:m:", long: "environment: manifest-path:" },
  pyenv: { word: "exec" },
  rbenv: { word: "exec" },
  rustup: { word: "run", long: "install", skip: 1 },
  rye: { word: "run" },
  yarn: { word: "exec" },
  direnv: { word: "exec", skip: 1 },
  distrobox: { word: "enter", short: "n:", skip: 1 },
  dotenvx: { word: "run", short: "f:", long: "env-file:" },
  mise: { word: "exec|x" },
  nix: { word: "develop|shell", short: "c", long: "command" },
  toolbox: { word: "run", short: "c:", long: "container:" },
  npm: {
    word: "exec|x",
    short: "c:p:w:y",
    long: "call: package: workspace: workspaces include-workspace-root prefix: yes no",
    line: "c call",
    dropsDashes: true,
  },
  lerna: {
    word: "exec",
    long: "scope: ignore: since:: parallel stream no-bail concurrency: no-prefix no-private include-dependencies",
    joins: true,
    everywhere: true,
  },
  nx: { word: "exec", long: "projects: exclude: all", joins: true, everywhere: true },
  pipenv: { word: "run" },
  pnpm: { word: "exec", short: "rc", long: "recursive parallel shell-mode", joinsWith: "c shell-mode" },
  poetry: { word: "run" },
  uv: {
    word: "run",
    short: "p:qnv",
    long: "with: python: project: directory: group: extra: no-sync frozen locked isolated no-project quiet",
  },
};

export const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "mksh",
  "ash",
  "rbash",
  "fish",
]);
/** Programs that start commands inside containers. */
export const CONTAINER_TOOLS = ["docker", "podman", "nerdctl", "docker-compose", "podman-compose", "kubectl", "oc"];
/** Programs whose first argument names the program to run. */
export const MULTICALL_PROGRAMS: ReadonlySet<string> = new Set(["busybox", "toybox"]);

export const XARGS: OptionSpec = {
  short: "0prtxoa:d:E:e::i::I:J:l::L:n:P:R:s:S:",
  long: "null arg-file: delimiter: eof:: replace:: max-lines:: max-args: max-procs: interactive process-slot-var: no-run-if-empty max-chars: show-limits verbose exit open-tty help version",
};
export const FLOCK: OptionSpec = {
  short: "eFnosuxhVc:E:w:",
  long: "shared exclusive unlock nonblock nb timeout: wait: conflict-exit-code: close command: no-fork verbose help version",
};
export const SU: OptionSpec = {
  short: "flmpPhVc:g:G:s:T:u:w:",
  long: "command: session-command: fast group: login supp-group: preserve-environment pty shell: user: whitelist-environment: help version",
};
export const SCRIPT: OptionSpec = {
  short: "aefqVhc:E:B:I:O:T:t::m:o:",
  long: "append command: return flush force quiet echo: log-in: log-out: log-io: log-timing: timing:: logging-format: output-limit: help version",
};
export const PARALLEL: OptionSpec = {
  short: "0Xkmntuvqj:a:N:n:L:l:I:C:d:s:S:P:M:",
  long: "jobs: arg-file: max-args: colsep: delay: dry-run eta bar keep-order halt: joblog: results: retries: timeout: tmpdir: sshlogin: tag will-cite xargs null quote ungroup line-buffer verbose",
};
