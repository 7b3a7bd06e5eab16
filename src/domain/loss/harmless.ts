import { posix } from "node:path";
import type { Effect } from "../../effects/effect.ts";
import { isSystemFolder } from "../../effects/line/system-folders.ts";
import { globMatches } from "../../shell/expand/glob.ts";
import { isGeneratedName } from "../../shell/expand/temporary-names.ts";
import { isPlaceholderOnly, PLACEHOLDERS } from "../../shell/placeholders.ts";
import { isInBuildFolder } from "./build-folders.ts";

/** Files that programs leave behind and make again. */
const LEFTOVER =
  /(?:\.(?:py\[(?:co|oc|cod)\]|py[cod]|o|l?a|lo|so|obj|class|tmp|temp|sw[op]|tsbuildinfo|pid|gcda|gcno|orig|rej|profraw|aux|toc|bbl|blg|fls|fdb_latexmk|synctex\.gz)|\.log(?:\*|\.(?:\*|old|gz|[\d?*]+(?:\.gz)?|\[\d-\d\]\*?))?|~|^(?:a|nohup)\.out|\.egg(?:-info)?|\.dSYM|^\.DS_Store|^Thumbs\.db|^desktop\.ini|^\.eslintcache|^\.coverage|^(?:profile|cover(?:age)?|c)\.out|^coverage\.(?:xml|lcov)|^lcov\.info|^core\.[\d*]+|^package-lock\.json|^yarn\.lock|^pnpm-lock\.yaml|^bun\.lockb?|^(?:Cargo|poetry|uv|composer|Gemfile|Pipfile)\.lock|^(?:index|HEAD|config|packed-refs|shallow)\.lock)$/;

/** Devices that store nothing. */
const KEEPS_NOTHING = /^\/dev\/(?:null|tty|stdin|stdout|stderr|fd\/\d+)$/;

/** The folders that decide whether a path matters. */
export interface FolderContext {
  readonly cwd: string;
  readonly project: string;
  readonly userHome: string;
  readonly tempDir: string;
  /** Names of further build folders, from the configuration. */
  readonly folders: readonly string[];
}

/** A path whose loss goes far beyond the project: the system, the home folder, or a folder around the project. */
export function isRoot(path: string, context: FolderContext): boolean {
  return isSystemFolder(path, context) || isWithin(context.project, path) || isWithin(context.cwd, path);
}

/** Files that nobody keeps on purpose, in any folder. */
const JUNK = /^(?:\*?\.DS_Store|Thumbs\.db|desktop\.ini|\*\.py[cod]|\*\.sw[op])$/;

/**
 * Caches in the home folder: tools download or build their content again. Maven's repository is not one of them, because it
 * also contains packages that a person installed by hand.
 */
const CACHES = new RegExp(
  String.raw`^(?:(?:\.cache|Library/Caches|AppData/Local/Temp)/.|(?:${[
    String.raw`\.npm/(?:_cacache|_npx|_logs)|\.bun/install/cache|\.yarn/(?:berry/)?cache|\.local/share/pnpm/store`,
    String.raw`\.gradle/(?:caches|daemon|wrapper/dists)|\.ivy2/cache|\.sbt/boot|\.android/(?:build-)?cache`,
    String.raw`\.cargo/(?:registry|git)|go/pkg/mod|\.nuget/packages|\.pub-cache/hosted|\.composer/cache`,
    String.raw`\.ccache|Library/Developer/Xcode/DerivedData`,
  ].join("|")})(?:/|$))`,
);

/** Caches of the system's package managers. */
const SYSTEM_CACHES = /^\/var\/(?:lib\/apt\/lists|cache\/(?:apt|apk|dnf|yum|zypp|pacman\/pkg))(?:\/|$)/;

/** Does the effect hit only what a program can create again: build output, caches, temporary and leftover files? */
export function isHarmless(effect: Effect, context: FolderContext): boolean {
  const { path, inside, pattern, mask, target, by } = effect;
  if (by.remote) return isTemporary(target, context) || hasBuildFolder(target.replace(/^[^/]+:/, ""), context);
  const whole = path ?? inside;
  if (whole === undefined) {
    const text = effect.meant ?? target.replaceAll("\\", "/");
    return isTemporaryText(target) || endsInBuildFolder(text, context) || JUNK.test(posix.basename(target));
  }
  if (isGeneratedName(whole) || KEEPS_NOTHING.test(whole) || isScratch(effect, whole, context)) return true;
  const home = [context.cwd, context.project].find((folder) => isWithin(whole, folder));
  if (home === undefined) {
    const isOwn = isWithin(whole, context.userHome);
    return isOwn ? CACHES.test(posix.relative(context.userHome, whole)) : SYSTEM_CACHES.test(whole);
  }
  const name = posix.basename(path ?? target);
  return (
    hasBuildFolder(posix.relative(home, pattern ?? mask ?? whole), context) ||
    (!target.endsWith("/") && LEFTOVER.test(name))
  );
}

/** A path inside the project that a program creates again when it is gone. */
export function isRecreatable(relative: string, context: FolderContext): boolean {
  return hasBuildFolder(relative, context) || LEFTOVER.test(posix.basename(relative));
}

/** Below a folder for temporary files, and not part of the work itself: a project may also live in such a folder. */
function isScratch(effect: Effect, whole: string, context: FolderContext): boolean {
  const { cwd, project, userHome } = context;
  const places = temporaryFolders(context).filter((folder) => isWithin(whole, folder));
  if (places.length === 0 || places.some((folder) => effect.path === folder)) return false;
  if ([cwd, project, userHome].some((own) => isWithin(whole, own) || mayCover(effect, own))) return false;
  // For a project inside a temporary folder, a relative path to a file beside the project is treated as work too.
  return !(effect.beside && places.some((folder) => isWithin(cwd, folder)));
}

/** Could the effect hit this folder or one above it? A name that is generated at run time is never a work folder. */
function mayCover({ path, inside, pattern, mask }: Effect, own: string): boolean {
  if (path !== undefined) return isWithin(own, path);
  if (inside === undefined || !isWithin(own, inside)) return false;
  const steps = (pattern ?? mask)?.split("/");
  if (!steps) return true;
  const folders = own.split("/");
  const fits = (step: string, at: number): boolean =>
    !isPlaceholderOnly(step) && globMatches(step.replaceAll(PLACEHOLDERS, "*"), folders[at] ?? "");
  return steps.length <= folders.length && steps.every(fits);
}

function isTemporary(target: string, context: FolderContext): boolean {
  const whole = posix.normalize(target);
  return temporaryFolders(context).some((folder) => whole.startsWith(`${folder}/`));
}

function temporaryFolders({ tempDir }: FolderContext): readonly string[] {
  return ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", tempDir];
}

/** A plain name, not a pattern, in a temporary folder of Windows: the user's or the system's. */
const TEMPORARY_OF_WINDOWS =
  /^(?:%te?mp%|%localappdata%\/temp|[a-z]:\/users\/[^/]+\/appdata\/local\/temp|[a-z]:\/windows\/temp)\/+[^./*?]/i;

/** A target that is written with a variable or command that conventionally names a temporary folder. */
function isTemporaryText(text: string): boolean {
  const target = text.replaceAll("\\", "/");
  if (/(?:^|\/)\.\.(?:\/|$)/.test(target)) return false;
  return (
    TEMPORARY_OF_WINDOWS.test(target) ||
    /^"?\$\{?(?:TMPDIR|TMP|TEMP|TEMPDIR|RUNNER_TEMP)(?::-[^}]*)?\}?"?\/[^.]/.test(target) ||
    /^\$\(mktemp\b/.test(target) ||
    // A script's own variable. Only the variable itself: were it empty, `$tmp/x` would mean `/x`.
    /^"?\$\{?(?:tmp|temp)(?:_?(?:dir|file|path|folder))?\}?"?$/.test(target)
  );
}

/** `$dir/node_modules`: it can be created again, whichever folder `$dir` is. */
function endsInBuildFolder(target: string, context: FolderContext): boolean {
  const [, rest = ""] =
    /^(?:\$\w+\/|\$\{\w+\}\/|\$\((?:[^()]|\([^()]*\))*\)\/|(?![$/~`%]|[A-Za-z]:))([^$`]+)$/.exec(target) ?? [];
  return rest !== "" && hasBuildFolder(rest, context);
}

function hasBuildFolder(relative: string, { folders }: FolderContext): boolean {
  const steps = posix.normalize(relative).split("/");
  if (steps.includes("..")) return false;
  const path = `/${steps.join("/")}/`;
  return isInBuildFolder(path) || folders.some((name) => path.includes(`/${name}/`));
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
