import type { Command } from "../shell/command.ts";
import { type Effect, effect, type Scene } from "./effect.ts";
import { embeddedLine, sqlInWords } from "./embedded-commands.ts";
import { has, type LooseReading, readLoosely } from "./loose-options.ts";

/** Verbs that mean irreversible removal in any tool. */
const VERB = /^(?:destroy|purge|erase|wipe|nuke|obliterate|drop-?all|delete-?all|destroy-?all|factory-reset|shred)$/;
/** The same as a part of a longer word: `apps:destroy`, `stanza-delete`, `vm.destroy`, `db:drop`. */
const COMPOUND =
  /^[a-z][\w-]*[:./](?:[\w-]+[:./])*(?:destroy|delete|purge|wipe|erase|drop|remove-all)$|^(?:[a-z]+-)+(?:destroy|delete|purge|wipe|erase)$|^(?:destroy|erase|wipe|purge)[-_:][a-z]/;
/** A plain deletion is ordinary, unless the tool is told not to ask. */
const DELETES = /^(?:delete|del|remove|rm|drop|reset|terminate|uninstall)$/;
const UNASKED =
  "force yes confirm y all all-namespaces auto-approve no-confirm noinput no-input non-interactive assume-yes";
/** Options with which nothing happens. A tool that somebody knows has a list of its own; `-n` and `-h` mean much. */
const DRY_OF_KNOWN = "dry-run dryrun what-if whatif simulate preview pretend noop no-op help";
const DRY = `${DRY_OF_KNOWN} n plan test check list h version`;
/** Programs whose words are tasks, packages, names or questions of others. */
const FREE_WORDS = new Set(
  `make gmake ninja just task turbo gulp grunt invoke poe tox nox cmake ctest bazel mage man tldr cheat which
  type command echo printf test expr seq let alias unalias export unset set trap history complete compgen bind
  hash read cd source grep egrep rg ag ack sed cut tr sort uniq wc head tail less more jq yq diff cmp conda
  mamba micromamba pipx uv uvx poetry pdm rye brew port aptitude dpkg dnf yum zypper rpm pacman yay paru apk
  snap flatpak winget scoop choco gem bundle composer cargo rustup nvm fnm volta n pyenv rbenv asdf mise rtx
  sdk go emacs vim vi nvim nano code ls cat stat file tree dig host ping mail logger notify-send osascript say bwrap
  cowsay figlet true false print sleep abbr typeset declare local readonly basename dirname shellcheck shfmt
  bats xdotool pbcopy xclip wl-copy tcpdump hookwright llm claude aichat fuck toilet lolcat banner yes espeak
  wall apropos whatis info help howdoi whereis pgrep curl wget fzf bat glow pandoc gum dialog whiptail zenity
  dotnet ng ember rails vue nx expo react-native cypress playwright jest mocha pytest rspec phpunit bd br bv
  gita stow chezmoi keychain ssh-add tmux screen zellij ip nmcli`.split(/\s+/),
);
/** Families of such programs. */
const FREE_WORDS_LIKE =
  /^(?:tasks?warrior|todo(?:\.sh|ist)?|\[|\[\[|pip\d?|apt\S*|nix\S*|explain\w*|docker-credential-\S+)$/;
/** What follows one of these is only a name. */
const LOOKS =
  /^(?:list|ls|get|show|describe|status|info|inspect|help|logs?|view|search|find|explain|create|add|new|apply|set|edit|update|diff|plan|validate|test|start|stop|open|print|export|import)$/;
/** Of a tool that looks after something for others, these say enough by themselves. */
const DELETES_PLAINLY = /^(?:delete|drop|terminate)$/;
/** Settings of the tool itself, on this machine, which are soon set again; and more words that only names follow. */
const OWN_SETTINGS =
  /^(?:config(?:ure|uration)?|auth|login|logout|completion|contexts?|plugins?|extensions?|components?|alias(?:es)?|repo|profiles?|telemetry|write|put|run|deploy|build|wait|label|annotate)$/;
const MAX_VERB_AT = 3;
/** Options of a tool that is known may take values that nobody listed. */
const MAX_VERB_AT_OF_KNOWN = 5;

/** An unknown program whose words tell it to destroy something, or to start a command that does. */
export function unknownTool(command: Command, scene: Scene): readonly Effect[] {
  const { program = "", argv } = command;
  // Scripts of the project are the project's own business.
  if (!/^[a-z][\w.+-]*$/i.test(program) || argv[0]?.text.includes("/") || takesFreeWords(program)) return [];
  return genericEffects(command, scene, "unknown");
}

/**
 * What any line says by its words alone. A `service` is a known tool that looks after data or machines: there a plain
 * deletion is worth a question. Of other known tools as much is asked as of those that nobody knows.
 */
export function genericEffects(
  command: Command,
  scene: Scene,
  tool: "unknown" | "known" | "service",
): readonly Effect[] {
  if (command.wraps || command.argv.length < 2) return [];
  const reading = readLoosely(command.argv.slice(1));
  if (has(reading, tool === "unknown" ? DRY : DRY_OF_KNOWN)) return [];
  const embedded = embeddedLine(command, tool !== "unknown");
  const started = embedded ? scene.nested(embedded.text, embedded.by) : [];
  if (started.length > 0) return started;
  const statements = sqlInWords(command, scene, tool === "service");
  if (statements.length > 0) return statements;
  // The words of what is started have been read.
  const own = embedded?.words ?? command.argv;
  return toldTo(command, { ...reading, operands: reading.operands.filter((word) => own.includes(word)) }, tool);
}

function toldTo(command: Command, reading: Pick<LooseReading, "operands" | "given">, tool: string): readonly Effect[] {
  const { operands } = reading;
  const isService = tool === "service";
  const isUnasked = has(reading, isService ? `${UNASKED} r R recursive` : UNASKED);
  const tells = (text: string): boolean =>
    DELETES.test(text)
      ? isUnasked || (isService && DELETES_PLAINLY.test(text))
      : VERB.test(text) || COMPOUND.test(text);
  const words = operands.slice(0, tool === "unknown" ? MAX_VERB_AT : MAX_VERB_AT_OF_KNOWN);
  const at = words.findIndex(({ known, text }) => known && tells(text));
  const isOnlyName = ({ text }: { text: string }): boolean =>
    LOOKS.test(text) || (tool !== "unknown" && OWN_SETTINGS.test(text));
  if (at < 0 || words.slice(0, at).some(isOnlyName)) return [];
  const verb = words[at]?.text ?? "";
  const target = operands
    .slice(at + 1)
    .map(({ text }) => text)
    .join(" ");
  return [
    effect("destroy-infrastructure", command, `is told to ${verb} ${target}`.trim(), {
      target: target || verb,
      certainty: "possible",
      instead: "list what would be deleted first",
    }),
  ];
}

/** As names in a set: a pattern of them all takes a fresh process longer to make than everything else here. */
export function takesFreeWords(program: string): boolean {
  return FREE_WORDS.has(program) || FREE_WORDS_LIKE.test(program);
}
