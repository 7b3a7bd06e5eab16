import type { Language } from "./tokens.ts";

/** What a function of a language does with its arguments. */
export type Action =
  /** Deletes a folder with everything in it. */
  | "tree"
  | "file"
  /** Deletes a folder only when an option says so. */
  | "tree-if-recursive"
  | "file-or-tree"
  /** The same for the thing that the method is called on. */
  | "own-file"
  /** One text for a shell. */
  | "shell"
  /** A program and its arguments, or one text for a shell. */
  | "run"
  /** The program's path, then all its words. */
  | "execl"
  | "execv"
  /** A text of the same language. */
  | "code"
  | "write"
  /** Puts one file in the place of another. */
  | "replace"
  /** Writes when the mode says so. */
  | "open"
  /** Writes when the flags say so. */
  | "open-flags"
  | "truncate"
  /** The same for a file that is open. */
  | "truncate-handle"
  /** Puts what is at an address into a file: the address, then the name. */
  | "download"
  /** Runs a file of the same language. */
  | "load"
  | "kill"
  | "fork"
  /** A text for a database. */
  | "sql"
  /** A function's name and what it is called with. */
  | "each";

const table = (actions: Partial<Record<Action, string>>): ReadonlyMap<string, Action> =>
  new Map(
    Object.entries(actions).flatMap(([action, names]) =>
      names.split(" ").map((name): [string, Action] => [name, action as Action]),
    ),
  );

/** Functions by the name they have after imports are undone; `*.x` is a method of anything. */
export const ACTIONS: Readonly<Record<Language, ReadonlyMap<string, Action>>> = {
  python: table({
    tree: "shutil.rmtree distutils.dir_util.remove_tree",
    file: "os.remove os.unlink",
    "own-file": "*.unlink",
    shell:
      "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput asyncio.create_subprocess_shell",
    run: "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn sh",
    execv: "os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp",
    execl: "os.execl os.execlp os.execle os.execlpe",
    code: "exec eval runpy.run_code",
    open: "open io.open codecs.open *.open",
    "open-flags": "os.open",
    write: "*.write_text *.write_bytes",
    replace: "os.rename os.replace shutil.move shutil.copy shutil.copy2 shutil.copyfile *.replace *.rename",
    truncate: "os.truncate",
    "truncate-handle": "*.truncate",
    download: "urllib.request.urlretrieve urllib.urlretrieve wget.download",
    load: "runpy.run_path execfile",
    kill: "os.kill os.killpg",
    fork: "os.fork",
    sql: "*.execute *.executescript *.sql",
    each: "map",
  }),
  js: table({
    "file-or-tree": "fs.rmSync fs.rm Deno.remove Deno.removeSync",
    "tree-if-recursive": "fs.rmdirSync fs.rmdir",
    file: "fs.unlinkSync fs.unlink",
    tree: "fs.removeSync fs.remove fs.emptyDirSync fs.emptyDir rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync del.deleteSync shelljs.rm",
    shell: "child_process.exec child_process.execSync $ Bun.$ bun.$ zx.$ shelljs.exec",
    run: "child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync Bun.spawn Bun.spawnSync Deno.Command execa",
    code: "eval Function vm.runInThisContext vm.runInNewContext",
    write:
      "fs.writeFileSync fs.writeFile fs.createWriteStream Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Bun.write",
    replace:
      "fs.renameSync fs.rename fs.copyFileSync fs.copyFile fs.promises.rename fs.promises.copyFile Deno.rename Deno.renameSync Deno.copyFile",
    open: "fs.openSync fs.open",
    truncate: "fs.truncateSync fs.truncate",
    "truncate-handle": "fs.ftruncateSync",
    load: "require",
    kill: "process.kill",
    fork: "child_process.fork",
    sql: "*.query *.execute *.exec *.raw *.$executeRawUnsafe *.$queryRawUnsafe",
  }),
  perl: table({
    tree: "rmtree remove_tree File.Path.rmtree File.Path.remove_tree",
    file: "unlink",
    run: "system exec",
    code: "eval",
    open: "open",
    kill: "kill",
    fork: "fork",
    truncate: "truncate",
    download: "getstore mirror LWP.Simple.getstore LWP.Simple.mirror *.mirror",
    replace: "rename copy move File.Copy.copy File.Copy.move",
  }),
  ruby: table({
    tree: "FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure FileUtils.rmtree rm_rf rm_r",
    file: "FileUtils.rm FileUtils.rm_f FileUtils.remove File.delete File.unlink",
    run: "system exec spawn IO.popen Open3.capture2 Open3.capture2e Open3.capture3 Process.spawn Process.exec",
    code: "eval instance_eval",
    write: "File.write IO.write File.binwrite",
    open: "File.open open File.new",
    replace: "File.rename FileUtils.mv FileUtils.move FileUtils.cp FileUtils.copy FileUtils.copy_file",
    truncate: "File.truncate",
    "truncate-handle": "*.truncate",
    download: "IO.copy_stream",
    load: "load require_relative",
    kill: "Process.kill",
    fork: "fork Process.fork",
    sql: "*.execute *.exec_query",
  }),
  php: table({
    file: "unlink",
    shell: "exec shell_exec system passthru popen proc_open",
    code: "eval assert",
    write: "file_put_contents",
    replace: "rename copy",
    open: "fopen",
    "truncate-handle": "ftruncate",
    load: "include include_once require require_once",
    each: "array_map",
    kill: "posix_kill",
    fork: "pcntl_fork",
    sql: "*.exec *.query *.statement *.unprepared mysqli_query pg_query",
  }),
  lua: table({ file: "os.remove", shell: "os.execute io.popen", open: "io.open", code: "load loadstring" }),
  awk: table({ shell: "system" }),
  applescript: table({}),
};

/** Languages that let one leave the brackets out: the last part of each name. */
export function bareNames(language: Language): ReadonlySet<string> {
  if (language === "js") return new Set(["$"]);
  if (!/^(?:perl|ruby|lua|php)$/.test(language)) return new Set();
  const onLists = language === "perl" ? ["join", "reverse"] : [];
  const names = [...ACTIONS[language].keys(), "glob", "get", ...onLists].map((name) =>
    name.slice(name.lastIndexOf(".") + 1),
  );
  return new Set(language === "php" ? ["eval", "include", "include_once", "require", "require_once"] : names);
}

export const ADDRESS = /^(?:https?|ftp):/;

/** Reads from an address. */
export const NETWORK =
  /(?:^|\.)(?:urlopen|urlretrieve|requests\.(?:get|post)|httpx\.get|fetch|https?\.(?:get|request)|axios(?:\.get)?|Net\.HTTP\.get|URI(?:\.parse\(\))?\.open|LWP\.Simple\.get|get|file_get_contents|curl_exec|open)$/;
