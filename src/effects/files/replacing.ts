import { posix } from "node:path";
import type { Command, Redirection, Word } from "../../shell/command.ts";
import { COMMIT_FIRST, type Effect, effect, effectsOfEach, type Family, pathsOf, type Scene } from "../effect.ts";
import { isRawDevice, keepsNothing } from "../line/devices.ts";
import { groupOf } from "../line/line-index.ts";
import { selectionFor } from "../line/listed-files.ts";
import { pipedFrom } from "../line/secrets.ts";
import { isSystemFolder } from "../line/system-folders.ts";
import { given, has, named, optionsOf } from "../line/words.ts";
import { copiedContent } from "./copied-folders.ts";
import { deleted } from "./deleting.ts";
import { writtenPaths } from "./written-paths.ts";

/** Programs that put other content, or none, in the place of a file's. */
export const REPLACING: Readonly<Record<string, Family>> = {
  truncate,
  mv,
  cp,
  install: cp,
  ln,
  dd,
  fallocate: (command, scene) =>
    command.args.some((arg) => /^-\w*[pz]|^--(?:punch-hole|zero-range|collapse-range)$/.test(arg ?? ""))
      ? command.argv.slice(-1).flatMap((word) => emptied(word, command, scene))
      : [],
  dcfldd: dd,
  dc3dd: dd,
  ddrescue: (command, scene) =>
    optionsOf(command)
      .operands.slice(1, 2)
      .flatMap((word) => written(word, command, scene)),
  tee,
  sponge: tee,
  curl: downloaded,
  wget: downloaded,
};

/** Files that control logins and access, by their path on every machine. */
const VITAL =
  /^\/etc\/(?:passwd|shadow|group|gshadow|sudoers|sudoers\.d\/.+|fstab|hosts|ssh\/sshd_config|pam\.d\/.+|crontab)$/;

const KEEP_COPY = "copy the file to another name first";

function truncate(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const size = (options.given.get("s") ?? options.given.get("size"))?.at(-1);
  // A larger size only appends.
  if (size?.text.startsWith("+") || size?.text.startsWith(">")) return [];
  const empties = size !== undefined && /^[-<%/]?0*[KMGTPE]?B?$/i.test(size.text);
  return options.operands.flatMap((word) =>
    pathsOf(word, command, scene).map((path) =>
      empties || size?.text.startsWith("-")
        ? effect("truncate", command, `empties ${named(word, command, scene)}`, { ...path, instead: KEEP_COPY })
        : effect("truncate", command, `shortens ${named(word, command, scene)}`, {
            ...path,
            ifExists: true,
            instead: KEEP_COPY,
          }),
    ),
  );
}

function mv(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const last = options.operands.at(-1);
  if (last?.text === "/dev/null") return deleted("delete-tree", options.operands.slice(0, -1), command, scene);
  const moved = options.operands.slice(0, given(options, "t target-directory") ? undefined : -1);
  const roots = moved
    .flatMap((word) => pathsOf(word, command, scene))
    .filter(({ path }) => path && isSystemFolder(path, scene));
  const away = roots.map((path) =>
    effect("delete-tree", command, `moves ${path.target} away`, { ...path, instead: "move single files" }),
  );
  if (has(options, "n no-clobber b backup S suffix u update i interactive")) return away;
  return [...away, ...replaced(command, scene), ...copiedContent(command, scene)];
}

function cp(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const [first, second, more] = options.operands;
  if (first?.text === "/dev/null" && second && more === undefined) return emptied(second, command, scene);
  if (has(options, "n no-clobber b backup S suffix u update i interactive d directory")) return [];
  return [...replaced(command, scene), ...copiedContent(command, scene)];
}

function ln(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  if (!has(options, "f force")) return [];
  const [first, second, more] = options.operands;
  const nowhere = first?.text === "/dev/null" && second && more === undefined && !has(options, "b backup S suffix");
  return nowhere ? emptied(second, command, scene) : replaced(command, scene);
}

/** The files that `cp`, `mv`, `ln` put something else in the place of. */
export function replaced(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const folder = given(options, "t target-directory");
  const to = folder ?? options.operands.at(-1);
  const sources = folder ? options.operands : options.operands.slice(0, -1);
  if (!to || sources.length === 0 || /^[^/]+:/.test(to.text)) return [];
  return pathsOf(to, command, scene).flatMap((path) => {
    if (isRawDevice(path.path ?? ""))
      return [effect("format-device", command, `writes over the disk ${path.target}`, path)];
    if (path.path === undefined) return [];
    const into = folder !== undefined || to.text.endsWith("/") || sources.length > 1;
    const names = sources.flatMap((source) => namesOf(source, command, scene));
    if (!into) return [overwrite(command, path.path, path.target, names)];
    return names.map((name) => overwrite(command, posix.join(path.path ?? "", name), posix.join(path.target, name)));
  });
}

/** What a copy of it is called in a folder; of what another command lists, the names that are written out. */
function namesOf(source: Word, command: Command, scene: Scene): readonly string[] {
  if (source.known) return [posix.basename(source.text)];
  const found = selectionFor(source, command, scene);
  if (!found) return [];
  const plain = found.roots.filter(({ known }) => known).map(({ text }) => posix.basename(text));
  return found.exact ? plain : found.names.filter((name) => !/[*?[/]/.test(name));
}

/** Whether the last word of a copy is a folder is only known when looking: `names` are what would land in it. */
function overwrite(command: Command, path: string, target: string, names: readonly string[] = []): Effect {
  return effect("overwrite", command, `replaces ${target}`, {
    target,
    path,
    ...(!VITAL.test(path) && { ifExists: true as const }),
    instead: KEEP_COPY,
    ...(names.length === 1 && { lands: names[0] }),
  });
}

export function emptied(word: Word, command: Command, scene: Scene): readonly Effect[] {
  return pathsOf(word, command, scene).map((path) =>
    isRawDevice(path.path ?? "")
      ? effect("format-device", command, `writes over the disk ${path.target}`, path)
      : effect("truncate", command, `empties ${named(word, command, scene)}`, { ...path, instead: KEEP_COPY }),
  );
}

export function written(word: Word, command: Command, scene: Scene): readonly Effect[] {
  return pathsOf(word, command, scene).flatMap((path) => {
    if (isRawDevice(path.path ?? ""))
      return [effect("format-device", command, `writes over the disk ${path.target}`, path)];
    if (path.path === "/proc/sysrq-trigger") return [effect("kill-everything", command, "stops the machine", path)];
    return path.path === undefined ? [] : [overwrite(command, path.path, path.target)];
  });
}

function dd(command: Command, scene: Scene): readonly Effect[] {
  const value = (name: string): Word | undefined => {
    const word = command.argv.find((one) => one.text.startsWith(`${name}=`));
    return (
      word && {
        ...word,
        text: word.text.slice(name.length + 1),
        ...(word.shape && { shape: word.shape.slice(name.length + 1) }),
      }
    );
  };
  const wiped = value("wipe") ?? value("hwipe");
  if (wiped && command.program === "dc3dd") return emptied(wiped, command, scene);
  const target = value("of") ?? value("hof");
  if (!target) return [];
  return value("if")?.text === "/dev/null" ? emptied(target, command, scene) : written(target, command, scene);
}

/** Files of access rights, where one more line lets somebody in. */
const RIGHTS = /^\/etc\/(?:passwd|shadow|sudoers|sudoers\.d\/.+)$/;

function appended(word: Word, command: Command, scene: Scene): readonly Effect[] {
  return written(word, command, scene).flatMap((one) => {
    if (one.kind !== "overwrite") return [one];
    if (!RIGHTS.test(one.path ?? "")) return [];
    const why = `adds entries to ${one.target}, which decides who may log in or act as root`;
    return [effect("permission-blast", command, why, { target: one.target })];
  });
}

function tee(command: Command, scene: Scene): readonly Effect[] {
  const options = optionsOf(command);
  const appends = has(options, "a append");
  return options.operands.flatMap((word) => {
    if (appends) return appended(word, command, scene);
    return givesNothing(command) ? emptied(word, command, scene) : written(word, command, scene);
  });
}

/** What it reads is empty: `: | tee file`, `tee file < /dev/null`. */
function givesNothing(command: Command): boolean {
  const [only, more] = command.upstream;
  // `grep -v .` lets no line through that holds anything.
  const isClosed = only?.program === "grep" && only.args[0] === "-v" && /^(?:\.\*?|\^)?$/.test(only.args[1] ?? "x");
  if (only && more === undefined) return isClosed || printsNothing(only);
  return command.redirections.some(({ operator, target }) => operator === "<" && target?.text === "/dev/null");
}

export function printsNothing(command: Command): boolean {
  const { program, args } = command;
  switch (program) {
    case "":
      return command.argv.length === 0;
    case ":":
    case "true":
    case "false":
      return true;
    case "echo":
      return args.every((arg) => arg !== undefined && (/^-[neE]+$/.test(arg) || arg.trim() === ""));
    case "printf":
      return args.length === 1 && args[0] === "";
    case "cat":
      return args.length > 0
        ? args.every((arg) => arg === "/dev/null")
        : command.redirections.some(({ operator, target }) => operator === "<" && target?.text === "/dev/null");
    default:
      return false;
  }
}

/** A download that takes the place of a file. */
function downloaded(command: Command, scene: Scene): readonly Effect[] {
  if (command.program === "wget" && !command.args.some((arg) => /^-\w*O|^--output-doc/.test(arg ?? ""))) return [];
  return puts(command, scene);
}

/** A tool that puts what it makes in the place of a file. */
export function puts(command: Command, scene: Scene): readonly Effect[] {
  if (command.remote) return [];
  const paths = writtenPaths({ commands: [{ ...command, redirections: [] }] }, scene.cwd);
  return paths.flatMap(({ path }) => {
    // `-O -` is the standard output.
    if (path === undefined || path.endsWith("/-")) return [];
    return isRawDevice(path)
      ? [effect("format-device", command, `writes over the disk ${path}`, { target: path, path })]
      : [overwrite(command, path, path)];
  });
}

/** Redirections: files that the shell opens for writing before the command starts. */
export function redirected(command: Command, scene: Scene): readonly Effect[] {
  const held = groupOf(command, scene.shell);
  const nothing = held ? held.length > 0 && held.every(printsNothing) : printsNothing(command);
  return effectsOfEach(command.redirections, (redirection) => {
    const target = opened(redirection);
    if (!target || (command.noclobber && KEPT_BY_NOCLOBBER.has(redirection.operator))) return [];
    if (redirection.operator.endsWith(">>")) return appended(target, command, scene);
    if (!target.known && showsCommitted(command, target)) return restored(target, command, scene);
    const empties = (nothing && redirection.fd !== 2) || readsItself(command, target, held ?? []);
    return empties ? emptied(target, command, scene) : written(target, command, scene);
  });
}

/** `git show HEAD:"$f" > "$f"`, whichever file that is. */
function showsCommitted({ program, argv }: Command, { text }: Word): boolean {
  const bare = text.replaceAll('"', "");
  return program === "git" && argv.some((word) => word.text.replaceAll('"', "").endsWith(`:${bare}`));
}

function restored({ text }: Word, command: Command, { cwd }: Scene): readonly Effect[] {
  return (command.cwds ?? [undefined]).map((at) =>
    effect("discard-uncommitted", command, `puts the committed content back into ${text}`, {
      target: text,
      certainty: "possible",
      instead: COMMIT_FIRST,
      git: { folder: at === undefined ? undefined : posix.resolve(cwd, at), loses: ["changes"], only: [] },
    }),
  );
}

const KEPT_BY_NOCLOBBER: ReadonlySet<string> = new Set([">", "&>", ">&"]);
const READERS =
  /^(?:cat|sort|sed|grep|egrep|fgrep|rg|awk|gawk|jq|yq|uniq|cut|tr|head|tail|tac|nl|rev|fmt|fold|column|paste|iconv|xmllint|envsubst|base64|gzip|zcat|gunzip|prettier|expand|unexpand|shuf|perl|ruby|diff|comm|join|wc|openssl|pandoc)$/;

/** The shell empties the file before the command, one it holds, or one before it in the pipe can read it. */
function readsItself(command: Command, target: Word, held: readonly Command[]): boolean {
  const isTarget = (word: Word | undefined): boolean => word !== undefined && plainName(word) === plainName(target);
  return [command, ...held].some((one) =>
    [one, ...pipedFrom(one)].some(
      ({ program, argv, cwd, redirections }) =>
        cwd === command.cwd &&
        ((READERS.test(program ?? "") && argv.slice(1).some(isTarget)) ||
          redirections.some(({ operator, target: file }) => operator === "<" && isTarget(file))),
    ),
  );
}

function plainName({ text }: Word): string {
  return text.replace(/^(?:\.\/+)+/, "");
}

function opened({ operator, target }: Redirection): Word | undefined {
  if (!target || !/^(?:>|>>|>\||&>|&>>|>&)$/.test(operator)) return undefined;
  if (operator === ">&" && /^(?:\d+-?|-)$/.test(target.text)) return undefined;
  if (/^[<>]\(/.test(target.text) || keepsNothing(target.text) || target.text.startsWith("/dev/tcp/")) return undefined;
  return target;
}
