import { posix } from "node:path";
import type { Command, Word } from "../../../shell/command.ts";
import { readOptions } from "../../../shell/options.ts";
import { hostShell, isBareShell } from "../../across-commands/reverse-shells.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { quotedWords } from "../../line/line-text.ts";
import { has, readLoosely, valuesOf } from "../../loose-options.ts";
import { composeEffects } from "./compose.ts";

/** What the rules of docker and its kin cannot say: containers by list, compose, and what runs in mounted folders. */
export function engineCommands(command: Command, scene: Scene): readonly Effect[] {
  const words = command.argv.slice(1);
  const { operands } = readOptions(
    words,
    { short: "c:DH:l:v", long: "config: context: host: log-level: debug tls" },
    false,
  );
  const [verb, ...rest] =
    operands[0]?.text === "container" && operands[1]?.text !== "prune" ? operands.slice(1) : operands;
  if (verb?.text === "compose") return composeEffects(rest, command);
  if (verb?.text === "run") return runInMounts(rest, command, scene);
  const images = verb?.text === "image" && rest[0]?.text === "rm";
  const removes = images ? removed("rmi", rest.slice(1), command) : removed(verb?.text ?? "", rest, command);
  return removes ? [removes] : [];
}

/** `rm`, `rmi` and `kill`: one by its name is everyday work, all that a list brings is not. */
function removed(verb: string, words: readonly Word[], command: Command): Effect | undefined {
  const { given, operands } = readLoosely(words, "s signal t time");
  const all = has({ given }, "a all") || operands.some((word) => word.many && /^$|\$\(|`/.test(word.text));
  const force = has({ given }, "f force");
  if (verb === "rm" && (has({ given }, "v volumes") || all))
    return effect("destroy-container-data", command, "removes containers and what they wrote", {
      target: operands.map(({ text }) => text).join(" "),
    });
  if (verb === "rmi" && force && all)
    return effect("destroy-container-data", command, "removes every image, also those made here");
  if (verb === "kill" && all) return effect("kill-everything", command, "kills every container");
  return undefined;
}

const RUN = {
  short: "dPqita:c:e:h:l:m:p:u:v:w:",
  long: "rm detach interactive tty privileged init read-only volume: mount: workdir: env: env-file: name: user: network: net: publish: entrypoint: platform: memory: cpus: hostname: label: add-host: cap-add: device: gpus: ipc: pid: pull: restart: security-opt: shm-size: tmpfs: ulimit: userns: volumes-from: link: log-driver: log-opt: dns:",
};
/** What happens to files inside a container only matters where they are files of this machine. */
const FILES =
  /^(?:delete-tree|delete-file|overwrite|truncate|permission-blast|format-device|kill-everything|fork-bomb)$/;

function runInMounts(words: readonly Word[], command: Command, scene: Scene): readonly Effect[] {
  const options = readOptions(words, RUN, false);
  const [, ...all] = options.operands;
  const entry = valuesOf(options, "entrypoint");
  const { inner, root } = entered(all);
  const mounts = [
    ...(root === "host" ? [{ from: "/", to: "/", volume: false }] : []),
    ...valuesOf(options, "v volume").map(bound),
    ...valuesOf(options, "mount").map(mounted),
  ].filter((one) => one !== undefined);
  if (isBareShell(inner) && mounts.some(({ from, to }) => from === "/" && to === root)) return [hostShell(command)];
  if (inner.length === 0) return [];
  const workdir = valuesOf(options, "w workdir")[0]?.text ?? "/";
  const inside = { ...command, cwd: workdir, cwds: [workdir] };
  return scene.nested(quotedWords([...entry, ...inner]), inside).flatMap((one) => {
    const own = { ...one, by: command };
    if (!FILES.test(one.kind)) return [own];
    const seen = one.path ?? one.inside;
    const place = seen !== undefined && root.startsWith("/") ? posix.join(root, seen) : seen;
    const mount = mounts.find(
      ({ to }) => place !== undefined && (place === to || place.startsWith(`${to === "/" ? "" : to}/`)),
    );
    if (!mount || place === undefined) return [];
    // No folder of this machine, but data that stays.
    if (mount.volume) return one.ifExists ? [] : [{ ...one, target: place, by: { ...command, remote: true } }];
    const onHost = (inside: string): string => posix.join(mount.from, inside.slice(mount.to.length));
    const whole = (inside: string): string => posix.resolve(scene.cwd, command.cwd ?? ".", onHost(inside));
    return [
      {
        ...own,
        target: onHost(place),
        ...(one.path !== undefined ? { path: whole(place) } : { inside: whole(place) }),
        ...(one.pattern?.startsWith(place) && { pattern: whole(one.pattern) }),
        ...(one.mask?.startsWith(place) && { mask: whole(one.mask) }),
      },
    ];
  });
}

/** `chroot /host …` and `nsenter -t 1 …` go to another root: what it is, and what is started there. */
function entered(words: readonly Word[]): { readonly inner: readonly Word[]; readonly root: string } {
  const [program, first] = words.map(({ text }) => text);
  if (program === "chroot" && first?.startsWith("/")) return { inner: words.slice(2), root: first };
  if (program !== "nsenter") return { inner: words, root: "" };
  const { given, operands } = readOptions(words.slice(1), NSENTER, false);
  const isHost = valuesOf({ given }, "t target").some(({ text }) => text === "1");
  return isHost ? { inner: operands, root: "host" } : { inner: words, root: "" };
}

const NSENTER = {
  short: "at:m::u::i::n::p::U::C::T::r::w::F",
  long: "all target: mount:: uts:: ipc:: net:: pid:: user:: cgroup:: time:: root:: wd:: no-fork",
};

interface Mount {
  /** A path of this machine, or the name of a volume. */
  readonly from: string;
  readonly volume: boolean;
  readonly to: string;
}

/** `-v from:to`: a path is a folder of this machine, a plain name is a volume. */
function bound(word: Word): Mount | undefined {
  const [from = "", to, mode] = word.text.split(":");
  if (to === undefined || mode?.split(",").includes("ro")) return undefined;
  return { from, to, volume: !/^[./~$`]/.test(from) };
}

function mounted(word: Word): Mount | undefined {
  const parts = new Map(
    word.text.split(",").map((part): [string, string] => [part.split("=")[0] ?? "", part.split("=")[1] ?? ""]),
  );
  const from = parts.get("source") ?? parts.get("src");
  const to = parts.get("target") ?? parts.get("dst") ?? parts.get("destination");
  const type = parts.get("type") ?? "volume";
  if (!/^(?:bind|volume)$/.test(type) || !from || !to || parts.has("readonly") || parts.has("ro")) return undefined;
  return { from, to, volume: type === "volume" };
}
