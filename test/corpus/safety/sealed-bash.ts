import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** A stub that ran: what it was called with, and what was on its standard input. */
export interface Call {
  readonly argv: readonly string[];
  /** The folder it ran in. */
  readonly folder: string;
  /** Those of its words that were the path of something at that moment. */
  readonly present: readonly string[];
  readonly input: string;
}

/** Programs that are themselves in the room. None of them deletes or overwrites. */
const REAL = [
  ..."bash sh cat base64 base32 tr rev sed xxd gzip gunzip zcat env nice nohup timeout xargs find".split(" "),
  ..."ls flock ionice taskset mktemp cut grep seq dirname basename whoami which awk tee mkdir touch wc sleep".split(
    " ",
  ),
];
/** Programs whose call is written down and that do nothing. */
const STUBS = "rm unlink shred srm truncate dd chown python3 python perl ruby node npm make psql mysql crontab".split(
  " ",
);
/** The same, for programs that would run what they are given. */
export const LAUNCHERS = [
  ..."sudo doas su runuser pkexec setpriv ssh at batch watch script parallel busybox toybox strace chroot".split(" "),
  ..."nsenter systemd-run fakeroot unshare zsh dash ksh fish fd fdfind time chrt openssl locate rg stdbuf setsid".split(
    " ",
  ),
  ..."xvfb-run vim vi ex ed emacs less".split(" "),
];
/** Needed by lines that write a script first: written down, then done. */
const RECORDED = ["chmod", "cp", "mv"];

/** Whether this machine lets us make a room without a network, other processes or anyone's files. */
export function canSeal(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const tried = spawnSync("unshare", [...NAMESPACES, "chroot", "--userspec=65534:65534", "/", "true"]);
  return tried.status === 0;
}

const NAMESPACES = ["--mount", "--pid", "--net", "--ipc", "--fork", "--kill-child"];

/**
 * Runs lines in a bash that can harm nothing: a root folder of its own that holds copies of a few programs, the user
 * nobody, no network, no processes but its own. Every program that deletes is a stub there, under every path.
 */
export class SealedBash {
  readonly #root: string;
  readonly #furniture: Readonly<Record<string, string>>;

  /** `root` is a new, empty folder; `furniture` the files, by path, that every line finds there. */
  constructor(root: string, furniture: Readonly<Record<string, string>> = {}) {
    this.#root = root;
    this.#furniture = furniture;
    for (const folder of ["bin", "real", "dev", "proc", "home/dev", "etc", "srv", "usr", "opt"])
      fs.mkdirSync(path.join(root, folder), { recursive: true });
    fs.chmodSync(root, 0o755);
    fs.symlinkSync("/bin", path.join(root, "usr/bin"));
    fs.symlinkSync("/proc/self/fd", path.join(root, "dev/fd"));
    fs.symlinkSync("/proc/self/fd/0", path.join(root, "dev/stdin"));
    fs.writeFileSync(path.join(root, "etc/hostname"), "room\n");
    fs.writeFileSync(path.join(root, "etc/passwd"), "dev:x:1000:1000::/home/dev:/bin/bash\n");
    spawnSync("mknod", ["-m", "666", path.join(root, "dev/null"), "c", "1", "3"]);
    for (const name of REAL) this.#copy(name, "bin");
    for (const name of RECORDED) this.#copy(name, "real");
    for (const name of [...STUBS, ...LAUNCHERS]) this.#stub(name, "");
    for (const name of RECORDED) this.#stub(name, `exec /real/${name} "$@"`);
    // A clone leaves a folder, which lines go on to use.
    const clone = `made=\${!#}; [[ $made != *:* ]] || made=$(basename "$made" .git); mkdir -p "$made"`;
    this.#stub("git", `[[ $1 != clone ]] || { ${clone}; }`);
  }

  async run(line: string): Promise<readonly Call[]> {
    const log = this.#fresh("log");
    this.#fresh("project");
    this.#fresh("tmp");
    for (const [file, text] of Object.entries(this.#furniture)) {
      const place = path.join(this.#root, file);
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.writeFileSync(place, text);
      fs.chmodSync(place, 0o666);
    }
    const inside = [
      `mount -t proc proc "$1/proc"`,
      `cd "$1/project"`,
      `exec chroot --userspec=65534:65534 --groups= "$1" /bin/bash -c "$2" room "$3"`,
    ].join(" && ");
    // Aliases count, because the shells of coding agents expand them.
    const limits =
      'cd /project && ulimit -t 5 -f 2000 -u 400 && exec /bin/bash --norc --noprofile -O expand_aliases -c "$1"';
    const child = spawn("unshare", [...NAMESPACES, "bash", "-c", inside, "_", this.#root, limits, line], {
      env: {
        PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
        HOME: "/home/dev",
        USER: "dev",
        TMPDIR: "/tmp",
        LC_ALL: "C.UTF-8",
      },
      stdio: "ignore",
    });
    const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    clearTimeout(late);
    return fs.readdirSync(log).flatMap((name) => readCall(path.join(log, name)));
  }

  /** An empty folder that nobody may write to. */
  #fresh(name: string): string {
    const folder = path.join(this.#root, name);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder);
    fs.chmodSync(folder, 0o777);
    return folder;
  }

  #copy(name: string, folder: string): void {
    const found = spawnSync("bash", ["-c", 'type -P -- "$1"', "_", name], { encoding: "utf8" }).stdout.trim();
    if (found === "") return;
    const real = fs.realpathSync(found);
    fs.copyFileSync(real, path.join(this.#root, folder, name));
    fs.chmodSync(path.join(this.#root, folder, name), 0o755);
    const libraries = spawnSync("ldd", [real], { encoding: "utf8" }).stdout.matchAll(/\/\S+\.so\S*/g);
    for (const [library] of libraries) {
      const copy = path.join(this.#root, library);
      fs.mkdirSync(path.dirname(copy), { recursive: true });
      if (!fs.existsSync(copy)) fs.copyFileSync(fs.realpathSync(library), copy);
    }
  }

  #stub(name: string, after: string): void {
    const text = [
      "#!/bin/bash",
      `{ printf '%s\\0' "$PWD" ${name} "$@" "--- present"`,
      `for word; do [[ ! -e $word ]] || printf '%s\\0' "$word"; done`,
      `printf '%s\\0' "--- input"`,
      // A script that it would run counts as its input.
      `[[ ! -f \${!#} ]] || /bin/cat "\${!#}"; /bin/timeout 1 /bin/cat; } > "/log/$$"`,
      after,
    ].join("\n");
    fs.writeFileSync(path.join(this.#root, "bin", name), `${text}\n`, { mode: 0o755 });
  }
}

function readCall(file: string): Call[] {
  const parts = fs.readFileSync(file, "utf8").split("\0");
  const words = parts.indexOf("--- present");
  const end = parts.indexOf("--- input", words);
  if (words < 0 || end < 0) return [];
  const [folder = "", ...argv] = parts.slice(0, words);
  return [{ argv, folder, present: parts.slice(words + 1, end), input: parts.slice(end + 1).join("\0") }];
}
