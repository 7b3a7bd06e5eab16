import { posix } from "node:path";
import type { Command, Word } from "../../shell/command.ts";
import { type Effect, effect, type Scene } from "../effect.ts";
import {
  clones,
  type DownloadedFolder,
  downloadedFolders,
  folderPaths,
  INSTALLS,
  installsFrom,
} from "../files/downloaded-folders.ts";
import { assumeStartFolder, writtenPaths } from "../files/written-paths.ts";
import { PipeLookup } from "../git/pipe-lookup.ts";
import { codeWord, fileRun, implicitFiles, readsCode, readsStatements } from "../languages/code-readers.ts";
import { decodes, fetches, INTERPRETERS, outputsOf } from "../line/fetchers.ts";
import { groupOf } from "../line/line-index.ts";
import { RUN_AUTOMATICALLY, writesTo } from "../line/startup-files.ts";

/** Programs that copy files from another machine. */
const COPIERS = new Set(["scp", "rsync", "sftp", "aws", "gsutil", "gcloud", "rclone", "s3cmd"]);
const INSTEAD = "download it to a file, read it, and let the person decide";

/** Code that comes from the network and is run on the same line. */
export function remoteCode(scene: Scene, ofCommands: readonly Effect[]): readonly Effect[] {
  const { commands } = scene.shell;
  if (
    !commands.some(
      (command) => fetches(command) || clones(command) || decodes(command) || COPIERS.has(command.program ?? ""),
    )
  )
    return [];
  const active = commands.filter((command) => !command.uncertain.includes("uncalled"));
  const laundered = variablesFrom(active, scene);
  const pipes: Pipes = {
    fetched: new PipeLookup(active, (one) => (fetches(one) ? one : undefined)),
    fetchedInside: new PipeLookup(active, (one) => (fetches(one) || one.inner.some(fetches) ? one : undefined)),
    decoded: new PipeLookup(active, (one) => (decodes(one) ? one : undefined)),
    carried: new PipeLookup(active, (one) => (one.argv.some((word) => mentions(word, laundered)) ? one : undefined)),
  };
  const downloaded = downloads(active, scene, { pipes, laundered, ofCommands });
  return active.flatMap((command) => {
    const why = runs(command, { downloaded, laundered, pipes, scene });
    return why === undefined ? [] : [effect("remote-code", command, why, { instead: INSTEAD, certainty: "certain" })];
  });
}

interface Downloads {
  readonly paths: ReadonlySet<string>;
  /** As they were written, for those whose name is only known at run time. */
  readonly words: ReadonlySet<string>;
  /** Downloaded folders: clones and unpacked archives. */
  readonly folders: readonly DownloadedFolder[];
}

/** For each part of a pipe, the nearest earlier command that downloads or decodes. */
interface Pipes {
  readonly fetched: PipeLookup<Command>;
  /** The same, with its substitutions. */
  readonly fetchedInside: PipeLookup<Command>;
  readonly decoded: PipeLookup<Command>;
  /** The nearest earlier command that prints a variable with downloaded content. */
  readonly carried: PipeLookup<Command>;
}

interface Line {
  readonly downloaded: Downloads;
  readonly laundered: ReadonlySet<string>;
  readonly pipes: Pipes;
  readonly scene: Scene;
}

function runs(command: Command, { downloaded: files, laundered, pipes, scene }: Line): string | undefined {
  const { program = "", argv } = command;
  const text = codeWord(command);
  const inner = innerOf(command);
  // `curl … > >(bash)`, `curl … | tee >(bash)`
  const feeds = [...argv, ...command.redirections.map(({ target }) => target)].some((word) =>
    word?.text.startsWith(">("),
  );
  const brought = fetches(command) || (program === "tee" && nearest(pipes.fetched, command) !== undefined);
  if (brought && (writesTo(command, RUN_AUTOMATICALLY) || writesLater(command, scene)))
    return "makes downloaded code run later";
  // After `exec > >(bash)` whatever is printed goes there.
  if (feeds && inner.some(readsCode) && (program === "exec" || fetches(command) || nearest(pipes.fetched, command)))
    return "runs code downloaded from the network";
  if (text && !text.known) {
    const source = inner.find((one) => fetches(one) && !isCounted(one, inner));
    if (source) return `runs code that ${source.program} downloads from the network`;
    if (mentions(text, laundered)) return "runs text that an earlier command downloaded";
  }
  if (text?.known === false && command.via?.program === "xargs" && nearest(pipes.fetched, command))
    return "runs code downloaded from the network";
  const unknown = argv[0]?.known === false || (program === "eval" && argv.some((word) => !word.known));
  if (unknown && nearest(pipes.fetched, command)) return "runs downloaded lines as commands";
  if (program === "tar" && argv.some((word) => /^--to-command/.test(word.text)) && nearest(pipes.fetched, command))
    return "passes downloaded files to a program that it starts";
  if (
    argv[0]?.known === false &&
    /^(?:\$\(|`)/.test(argv[0].text) &&
    inner.some((one) => fetches(one) && !isSilent(one))
  )
    return "runs a command whose name is downloaded from the network";
  if (argv[0]?.known === false && laundered.has(/^"?\$\{?([A-Za-z_]\w*)/.exec(argv[0].text)?.[1] ?? ""))
    return "runs a command whose name an earlier command downloaded";
  // A script that stands on the line was judged by itself.
  if (readsCode(command) && (!command.wraps || command.uncertain.includes("script"))) {
    const source = nearest(pipes.fetchedInside, command);
    if (source) return `runs code that ${source.program} downloads from the network`;
    if (nearest(pipes.carried, command)) return "runs text that an earlier command downloaded";
    const hidden = nearest(pipes.decoded, command);
    if (hidden) return `runs text that ${hidden.program} decodes only at run time, so it cannot be checked`;
    const body = command.redirections.find((one) => (one.fd ?? 0) === 0 && one.operator.startsWith("<"));
    if (body && !body.body?.known && inner.some(fetches)) return "runs code downloaded from the network";
    if (body?.body && mentions(body.body, laundered)) return "runs text downloaded from the network";
    if (body?.target && isDownloaded(body.target, command, files, scene))
      return "runs a file that the same command line downloaded";
  }
  const statements = readsStatements(command) ? nearest(pipes.fetched, command) : undefined;
  if (statements) return `runs statements in a database that ${statements.program} downloads from the network`;
  const file = fileRun(command);
  if (file && isDownloaded(file, command, files, scene)) return "runs a file that the same command line downloaded";
  if (file && /^(?:<\(|\/dev\/fd\/)/.test(file.text) && inner.some(fetches))
    return "runs code downloaded from the network";
  const [first] = argv;
  // A name without a slash is looked for among the programs, and only by Windows where the download lies as well.
  const isPath = first !== undefined && (!first.known || /\/|\.(?:exe|com|cmd|bat|msi|ps1)$/i.test(first.text));
  if (isPath && isDownloaded(first, command, files, scene)) return "runs a file that the same command line downloaded";
  const told = implicitFiles(program).some((text) => isDownloaded({ text, known: true }, command, files, scene));
  if (told) return "follows a file that the same command line downloaded";
  if (first && isOnPath(first, files)) return "runs a program that the same command line downloaded";
  if (files.folders.length > 0 && installsFrom(command, folderPaths(files.folders, command, scene), scene))
    return "installs software that the same command line downloaded";
  return undefined;
}

/** `curl -o ~/.bash_profile …` */
function writesLater(command: Command, { cwd }: Scene): boolean {
  return writtenPaths({ commands: [command] }, cwd).some(({ path = "" }) =>
    RUN_AUTOMATICALLY.some((place) => place.test(path)),
  );
}

/** `until $(curl -o /dev/null …)`: nothing of what it brings is printed. */
function isSilent({ args, redirections }: Command): boolean {
  return (
    args.some((arg, at) => arg === "/dev/null" && /^(?:-\w*[oO]|--output(?:-document)?)$/.test(args[at - 1] ?? "")) ||
    redirections.some(({ operator, target, fd }) => operator === ">" && target?.text === "/dev/null" && (fd ?? 1) === 1)
  );
}

const COUNTERS = /^(?:wc|cksum|sum|md5sum|sha\d+sum|shasum|b2sum)$/;

/** Of what it brings only a number or a checksum is left. */
function isCounted(source: Command, inner: readonly Command[]): boolean {
  return inner.some(({ program, upstream }) => COUNTERS.test(program ?? "") && upstream.includes(source));
}

/** Put where the shell looks for programs, then called by its name. */
function isOnPath({ known, text }: Word, { paths }: Downloads): boolean {
  if (!known || text.includes("/") || text === "" || paths.size === 0) return false;
  for (const path of paths) if (path.endsWith(`bin/${text}`) && /\/s?bin\/[^/]+$/.test(path)) return true;
  return false;
}

/** What runs inside its words, which its launcher may have had first: `sudo bash -c "$(…)"`. */
function innerOf(command: Command): readonly Command[] {
  let at: Command | undefined = command;
  for (let steps = 0; at && at.inner.length === 0 && steps < 10; steps++) at = at.via;
  return at?.inner ?? [];
}

/** What stands before it in its own pipe, or in that of what starts it. */
function nearest(pipes: PipeLookup<Command>, command: Command): Command | undefined {
  return pipes.before(command) ?? (command.via && pipes.before(command.via));
}

/** Files that commands of this line download. */
function downloads(
  commands: readonly Command[],
  scene: Scene,
  { pipes, laundered, ofCommands }: Pick<Line, "pipes" | "laundered"> & { readonly ofCommands: readonly Effect[] },
): Downloads {
  const isFed = (command: Command): boolean =>
    nearest(pipes.fetchedInside, command) !== undefined ||
    command.inner.some(fetches) ||
    command.argv.some((word) => mentions(word, laundered)) ||
    groupOf(command, scene.shell)?.some(fetches) === true;
  const paths = new Set<string>();
  const words = new Set<string>();
  const bring = commands.filter((command) => fetches(command) || (writes(command) && isFed(command)));
  for (const command of bring) {
    // Wherever it is: the same name there is the same file.
    for (const { path } of writtenPaths({ commands: [assumeStartFolder(command)] }, scene.cwd))
      if (path) paths.add(path);
    for (const name of outputsOf(command)) paths.add(posix.resolve(scene.cwd, command.cwd ?? ".", name));
    for (const word of command.argv.slice(1)) {
      const name = /^(?:[a-z]+:\/\/)?[^/\s]+\.[^/\s]+\/(?:[^?#]*\/)?([\w.-]+)$/.exec(word.text)?.[1];
      if (name !== undefined) paths.add(posix.resolve(scene.cwd, command.cwd ?? ".", name));
    }
    for (const word of [...command.argv, ...command.redirections.map(({ target }) => target)])
      if (word && !word.known && /^["']?[$/]/.test(word.text)) words.add(word.text);
  }
  // What a script of another language writes when it has an address.
  for (const { by, kind, path } of ofCommands)
    if (kind === "overwrite" && path !== undefined && INTERPRETERS.test(by.program ?? "") && fetches(by))
      paths.add(path);
  for (const { program, argv, cwd } of commands) {
    const to = argv.at(-1);
    if (!COPIERS.has(program ?? "") || !to?.known || to.text.includes(":")) continue;
    for (const from of argv.slice(1, -1)) {
      if (!/^[^/]+:/.test(from.text)) continue;
      const place = posix.resolve(scene.cwd, cwd ?? ".", to.text);
      paths.add(place).add(posix.join(place, posix.basename(from.text.replace(/^[^/]+:/, ""))));
    }
  }
  const folders = downloadedFolders(commands, scene, paths, isFed);
  // A copy of it under another name is the same code, and so is what is made of it.
  for (const command of commands) {
    const at = (text: string): string => posix.resolve(scene.cwd, command.cwd ?? ".", text);
    const isMadeOfIt = [command, ...command.upstream].some(({ argv, redirections }) =>
      [...argv.slice(1), ...redirections.map(({ target }) => target)].some(
        (word) => word?.known && paths.has(at(word.text)),
      ),
    );
    if (!isMadeOfIt && !(isFed(command) && COMPILERS.test(command.program ?? ""))) continue;
    for (const place of madeBy(command, scene)) paths.add(place);
  }
  return { paths, words, folders };
}

const COMPILERS = /^(?:gcc|cc|g\+\+|c\+\+|clang|clang\+\+|tcc|rustc)$/;

/** Where a command puts what it makes of files. */
function madeBy(command: Command, scene: Scene): readonly string[] {
  const { program = "", argv, args, cwd } = command;
  const at = (text: string): string => posix.resolve(scene.cwd, cwd ?? ".", text);
  const [, from, to] = argv;
  if (/^(?:mv|cp|install)$/.test(program))
    return argv.length === 3 && from?.known && to?.known
      ? [at(to.text), posix.join(at(to.text), posix.basename(from.text))]
      : [];
  if (COMPILERS.test(program)) return [at(args.includes("-o") ? (args[args.indexOf("-o") + 1] ?? "") : "a.out")];
  if (!writes(command)) return [];
  return writtenPaths({ commands: [command] }, scene.cwd).flatMap(({ path }) => path ?? []);
}

/** Puts what it prints or reads into files. */
function writes({ program, redirections }: Command): boolean {
  return /^(?:tee|dd|sponge)$/.test(program ?? "") || redirections.some(({ operator }) => /^&?>/.test(operator));
}

function isDownloaded(word: Word, command: Command, files: Downloads, scene: Scene): boolean {
  if (!word.known) return files.words.has(word.text);
  if (files.paths.size === 0 && files.folders.length === 0) return false;
  return (command.cwds ?? ["."]).some((cwd) => {
    const path = posix.resolve(scene.cwd, cwd, word.text);
    if (files.paths.has(path)) return true;
    const isOne = word.text.includes("/") || /\.(?:sh|bash|zsh)$/.test(word.text);
    if (!isOne || !INSTALLS.test(path)) return false;
    return folderPaths(files.folders, command, scene).some((folder) => path.startsWith(`${folder}/`));
  });
}

const BRINGS = /(?:\$\(|`)\s*(?:curl|wget)\b/;

/** Variables whose value an earlier command downloaded. */
function variablesFrom(commands: readonly Command[], { shell }: Scene): ReadonlySet<string> {
  const names = new Set(
    commands.filter(({ inner, upstream }) => inner.some(fetches) || upstream.some(fetches)).flatMap(filledNames),
  );
  // A loop over what one of them holds, or over what is brought right there.
  for (const [name, words] of shell.loops)
    if (words.some((word) => mentions(word, names) || BRINGS.test(word.text))) names.add(name);
  return names;
}

/** Names that a command gives values to. */
function filledNames({ program = "", assignments, argv, inner }: Command): readonly string[] {
  const own = inner.length > 0 ? assignments.map(({ name }) => name) : [];
  if (/^(?:export|declare|typeset|local|readonly)$/.test(program))
    return [...own, ...argv.slice(1).flatMap(({ text }) => /^([A-Za-z_]\w*)\+?=/.exec(text)?.[1] ?? [])];
  if (!/^(?:read|mapfile|readarray)$/.test(program)) return own;
  return [...own, ...argv.slice(1).flatMap(({ text }) => /^[A-Za-z_]\w*$/.exec(text)?.[0] ?? [])];
}

function mentions(word: Word, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  return [...word.text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].some(([, name]) => names.has(name ?? ""));
}
