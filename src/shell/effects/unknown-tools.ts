import type { Command } from "../command.ts";
import { type Effect, effect } from "./effect.ts";
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
const OTHERS =
  /^(?:make|gmake|ninja|just|task|tasks?warrior|todo(?:\.sh|ist)?|turbo|gulp|grunt|invoke|poe|tox|nox|cmake|ctest|bazel|mage|man|tldr|cheat|which|type|command|echo|printf|test|\[|\[\[|expr|seq|let|alias|unalias|export|unset|set|trap|history|complete|compgen|bind|hash|read|cd|source|grep|egrep|rg|ag|ack|sed|cut|tr|sort|uniq|wc|head|tail|less|more|jq|yq|diff|cmp|conda|mamba|micromamba|pip\d?|pipx|uv|uvx|poetry|pdm|rye|brew|port|apt\S*|aptitude|dpkg|dnf|yum|zypper|rpm|pacman|yay|paru|apk|snap|flatpak|winget|scoop|choco|gem|bundle|composer|cargo|rustup|nvm|fnm|volta|n|pyenv|rbenv|asdf|mise|rtx|sdk|go|nix\S*|emacs|vim|vi|nvim|nano|code|ls|cat|stat|file|tree|dig|host|ping|mail|logger|notify-send|osascript|say|dotnet|ng|ember|rails|vue|nx|expo|react-native|cypress|playwright|jest|mocha|pytest|rspec|phpunit|bd|br|bv|gita|stow|chezmoi|keychain|ssh-add|ssh-keygen|tmux|screen|zellij|ip|nmcli|docker-credential-\S+)$/;
const MAX_VERB_AT = 3;

/** A tool that no family knows, told in plain words to destroy something. */
export function unknownTool(command: Command): readonly Effect[] {
  const { program = "", argv } = command;
  const [first] = argv;
  // Scripts of the project are the project's own business.
  if (!/^[a-z][\w.+-]*$/i.test(program) || command.wraps || first?.text.includes("/") || OTHERS.test(program))
    return [];
  const reading = readLoosely(argv.slice(1));
  const at = reading.operands.slice(0, MAX_VERB_AT).findIndex(({ known, text }) => known && isVerb(text));
  const verb = reading.operands[at]?.text ?? "";
  if (at < 0 || has(reading, DRY)) return [];
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

function isVerb(text: string): boolean {
  return VERB.test(text) || COMPOUND.test(text) || DELETES.test(text);
}
