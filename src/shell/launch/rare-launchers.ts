import type { Launcher } from "./launchers.ts";

const NO_OPTIONS: Launcher = {};
const TERMINAL: Launcher = { short: "e", long: "execute command title: working-directory: geometry:", vague: true };
const SEVERAL_HOSTS: Launcher = {
  short: "w:g:x:f:l:H:h:i:t:p:",
  long: "host: hosts: user: timeout:",
  remote: true,
  joins: true,
};

/** The dynamic linker starts the program that is its argument. */
const LOADER: Launcher = {
  long: "list verify inhibit-cache library-path: inhibit-rpath: audit: preload: argv0: help version list-tunables",
  idle: "list verify help version list-tunables",
};
const LOADERS =
  "ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1";

const WSL: Launcher = {
  short: "d:u:e",
  long: "distribution: user: exec cd: list shutdown",
  idle: "list shutdown",
};

/** Launchers that are rarely used, in the same form as `LAUNCHERS`. */
export const RARE_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  "annotate-output": NO_OPTIONS,
  autossh: { short: "M:fNTq", skip: 1, remote: true, joins: true },
  chpst: { short: "u:U:b:e:/:n:l:L:m:d:o:p:f:c:vP012" },
  clush: SEVERAL_HOSTS,
  cpulimit: { short: "l:p:e:zibv", long: "limit: pid: exe: lazy include-children" },
  daemonize: { short: "ac:e:E:o:p:l:u:v", vague: true },
  dtach: { short: "AacnNpEzr:", skip: 1, vague: true },
  eatmydata: NO_OPTIONS,
  faketime: { short: "fm", skip: 1 },
  fakechroot: NO_OPTIONS,
  "flatpak-spawn": { long: "host verbose watch-bus clear-env env: directory: sandbox", folder: "directory" },
  foot: TERMINAL,
  "gnome-terminal": TERMINAL,
  i386: NO_OPTIONS,
  konsole: TERMINAL,
  kitty: TERMINAL,
  linux32: NO_OPTIONS,
  linux64: NO_OPTIONS,
  logsave: { short: "asv", skip: 1 },
  mosh: { long: "ssh: port: predict:", skip: 1, remote: true },
  nq: { short: "cq", vague: true },
  "parallel-ssh": SEVERAL_HOSTS,
  pdsh: SEVERAL_HOSTS,
  proot: { short: "r:b:q:w:v:0S:R:" },
  pssh: SEVERAL_HOSTS,
  "s6-setuidgid": { skip: 1 },
  setarch: { short: "RFZLXBIS3", skip: 1 },
  softlimit: { short: "a:c:d:f:l:m:o:p:r:s:t:" },
  "ssh-agent": { short: "cDdksa:E:O:P:t:", idle: "k" },
  "systemd-inhibit": { long: "what: who: why: mode: list no-pager", idle: "list" },
  terminator: TERMINAL,
  tsp: { short: "nBEfmdL:N:S:", idle: "S", vague: true },
  wsl: WSL,
  "wsl.exe": WSL,
  winpty: NO_OPTIONS,
  "with-contenv": NO_OPTIONS,
  xterm: TERMINAL,
  "xfce4-terminal": TERMINAL,
  alacritty: TERMINAL,
  wezterm: TERMINAL,
  ...Object.fromEntries(LOADERS.split(" ").map((name) => [name, LOADER])),
};
