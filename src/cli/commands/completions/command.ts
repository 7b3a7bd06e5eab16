import { HookwrightError } from "../../../core/errors.ts";
import type { CliCommand } from "../../command.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const completionsCommand: CliCommand = {
  name: "completions",
  summary: "Prints what a shell needs to complete commands and options with the Tab key.",
  usage: `completions ${SHELLS.join("|")}`,
  details: [
    "  bash   hookwright completions bash > ~/.local/share/bash-completion/completions/hookwright",
    "  zsh    hookwright completions zsh > ~/.zfunc/_hookwright",
    "         and in ~/.zshrc before `compinit`: fpath+=~/.zfunc",
    "  fish   hookwright completions fish > ~/.config/fish/completions/hookwright.fish",
    "",
    "The folder must exist. Run it again after an update.",
  ].join("\n"),
  allowPositionals: true,
  async run({ args, out }) {
    const shell = SHELLS.find((one) => one === args[0]);
    if (shell === undefined || args.length > 1) {
      throw new HookwrightError("HW_USAGE", { detail: "Name a shell: bash, zsh or fish.", command: "completions" });
    }
    const [{ commands }, { scripts }] = await Promise.all([import("../index.ts"), import("./scripts.ts")]);
    out(scripts[shell](commands).trimEnd());
    return 0;
  },
};
