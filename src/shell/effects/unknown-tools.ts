import type { Command, Word } from "../command.ts";
import { BOXES, LAUNCHERS, SHELLS, SUBCOMMAND_LAUNCHERS } from "../launchers.ts";
import { RARE_LAUNCHERS } from "../rare-launchers.ts";
import { type Effect, effect, type Scene } from "./effect.ts";
import { quotedWords, textWithHoles } from "./line-text.ts";
import { has, readLoosely } from "./tool.ts";

/** Verbs by which tools of every kind say that something goes for good. */
const VERB = /^(?:destroy|purge|erase|wipe|nuke|obliterate|drop-?all|delete-?all|destroy-?all|factory-reset|shred)$/;
/** The same as a part of a longer word: `apps:destroy`, `stanza-delete`, `vm.destroy`, `db:drop`. */
const COMPOUND =
  /^[a-z][\w-]*[:./](?:[\w-]+[:./])*(?:destroy|delete|purge|wipe|erase|drop|remove-all)$|^(?:[a-z]+-)+(?:destroy|delete|purge|wipe|erase)$|^(?:destroy|erase|wipe|purge)[-_:][a-z]/;
/** A plain deletion is ordinary, unless the tool is told not to ask. */
const DELETES = /^(?:delete|del|remove|rm|drop|reset|terminate|uninstall)$/;
const UNASKED =
  "force yes confirm y all all-namespaces auto-approve no-confirm noinput no-input non-interactive assume-yes";
const DRY = "dry-run dryrun n plan preview what-if whatif simulate test check list help h version pretend noop no-op";
/** Programs whose words are tasks, packages, names or questions of others. */
const OTHERS = new Set(
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
  gita stow chezmoi keychain ssh-add ssh-keygen tmux screen zellij ip nmcli`.split(/\s+/),
);
/** Families of such programs. */
const OTHERS_LIKE =
  /^(?:tasks?warrior|todo(?:\.sh|ist)?|\[|\[\[|pip\d?|apt\S*|nix\S*|explain\w*|docker-credential-\S+)$/;
/** What follows one of these is only a name. */
const LOOKS =
  /^(?:list|ls|get|show|describe|status|info|inspect|help|logs?|view|search|find|explain|create|add|new|apply|set|edit|update|diff|plan|validate|test|start|stop|open|print|export|import)$/;
const MAX_VERB_AT = 3;

/** A tool that no family knows, told in plain words to destroy something, or to start what does. */
export function unknownTool(command: Command, scene: Scene): readonly Effect[] {
  const { program = "", argv } = command;
  const [first] = argv;
  // Scripts of the project are the project's own business.
  if (!/^[a-z][\w.+-]*$/i.test(program) || command.wraps || first?.text.includes("/") || isOthers(program)) return [];
  if (argv.length < 2) return [];
  const reading = readLoosely(argv.slice(1));
  // What the reader knows how to follow it has followed, or had reason not to.
  const started = isKnown(program) || has(reading, DRY) ? undefined : carried(argv);
  if (started !== undefined) return scene.nested(started, command);
  const at = reading.operands.slice(0, MAX_VERB_AT).findIndex(({ known, text }) => known && isVerb(text));
  const verb = reading.operands[at]?.text ?? "";
  if (at < 0 || has(reading, DRY) || reading.operands.slice(0, at).some(({ text }) => LOOKS.test(text))) return [];
  if (DELETES.test(verb) && (!has(reading, UNASKED) || at + 1 > MAX_VERB_AT)) return [];
  const target = reading.operands
    .slice(at + 1)
    .map(({ text }) => text)
    .join(" ");
  return [
    effect("destroy-infrastructure", command, `is told to ${verb} ${target}`.trim(), {
      target: target || verb,
      certainty: "possible",
      instead: "look at what would go first",
    }),
  ];
}

/** As names in a set: a pattern of them all takes a fresh process longer to make than everything else here. */
function isOthers(program: string): boolean {
  return OTHERS.has(program) || OTHERS_LIKE.test(program);
}

function isKnown(program: string): boolean {
  return (
    SHELLS.has(program) ||
    BOXES.has(program) ||
    Object.hasOwn(LAUNCHERS, program) ||
    Object.hasOwn(SUBCOMMAND_LAUNCHERS, program) ||
    Object.hasOwn(RARE_LAUNCHERS, program) ||
    /^(?:xargs|parallel|flock|su|script|find|fd|fdfind|ssh|env|eval|exec|time|watch)$/.test(program)
  );
}

/**
 * The command line that a launcher nobody knows would start: behind `--`, behind `exec` or `run`, after an option for
 * commands, or plainly a recursive deletion among its words.
 */
function carried(argv: readonly Word[]): string | undefined {
  const dashes = argv.findIndex(({ text }) => text === "--");
  if (dashes > 0 && argv.length > dashes + 1) return quotedWords(argv.slice(dashes + 1));
  for (const [at, { text }] of argv.entries()) {
    const next = argv[at + 1];
    if (at === 0 || !next) continue;
    if (/(?:^|\/)rm$/.test(text) && /^-\w*[rR]|^--recursive$/.test(next.text)) return quotedWords(argv.slice(at));
    if (/^(?:-c|--command|--cmd|--exec|exec-env|exec-file)$/.test(text)) {
      const told = argv.slice(at + 1).find((word) => /\s/.test(word.text));
      return told && textWithHoles(told);
    }
    if (/^(?:exec|run)$/.test(text) && at < 3 && !next.text.startsWith("-")) return quotedWords(argv.slice(at + 1));
  }
  return undefined;
}

function isVerb(text: string): boolean {
  return VERB.test(text) || COMPOUND.test(text) || DELETES.test(text);
}
