import { posix } from "node:path";
import type { Command } from "../../../shell/command.ts";
import type { Shell } from "../../../shell/shell.ts";

/** Usual names of build folders, also of several builds side by side (`build-asan`). */
const BUILD_NAME = /^(?:cmake-)?build(?:[-_.].+)?$|[-_.]build$/i;

/** The build folder in the arguments of CMake, Meson or Ninja. */
export function configuredFolder({ program = "", args }: Pick<Command, "program" | "args">): string | undefined {
  const [verb] = args;
  if (program === "cmake") return optionValue(args, "-B") ?? optionValue(args, "--build");
  if (program === "ninja") return optionValue(args, "-C");
  if (program !== "meson") return undefined;
  return verb === "setup" ? args.slice(1).find((arg) => !arg?.startsWith("-")) : optionValue(args, "-C");
}

/** The value of an option, in the forms `-B folder`, `-Bfolder` and `--build folder`. */
function optionValue(args: Command["args"], option: string): string | undefined {
  const at = args.findIndex((arg) => arg === option || (option.length === 2 && arg?.startsWith(option)));
  if (at < 0) return undefined;
  return args[at] === option ? args[at + 1] : args[at]?.slice(option.length);
}

/** `rm -rf build-asan && cmake -B build-asan`: a folder with a usual build name that the line itself builds in. */
export function isConfiguredBuild(path: string, { commands }: Shell, cwd: string): boolean {
  if (!BUILD_NAME.test(posix.basename(path))) return false;
  return commands.some((command) => {
    if (command.cwd === undefined || command.remote || command.uncertain.includes("uncalled")) return false;
    const folder = configuredFolder(command);
    return folder !== undefined && posix.resolve(cwd, command.cwd, folder) === path;
  });
}
