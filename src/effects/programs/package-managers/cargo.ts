import { program } from "../../program.ts";
import { PACKAGE } from "../package-registries/phrases.ts";
import { installedCode, subcommandOfCargo } from "./cargo-words.ts";

/** `cargo +nightly --color always publish`: read without what stands before the subcommand. */
export default program({
  names: ["cargo"],
  kind: "publish",
  values: "p package manifest-path registry index token vers version Z config color",
  dry: "dry-run n list",
  reads: subcommandOfCargo,
  rules: [
    ["publish", PACKAGE],
    ["yank", "withdraws the version {}", { unless: "undo" }],
    ["owner", "removes an owner", { needs: "remove r" }],
    ["release|smart-release", PACKAGE, { needs: "execute x" }],
    ["workspaces|ws publish", PACKAGE],
  ],
  also: installedCode,
  registry: { option: /^--index$/ },
  examples: {
    hit: [
      "cargo publish",
      "cargo publish -p core --no-verify",
      "cargo yank --version 1.0.0 core",
      "cargo yank core@1.0.0",
      "cargo +stable publish",
      "cargo +nightly-2024-01-01 publish -p core",
      "cargo --color always publish",
      "cargo -C crates/a publish",
      "cargo -q +stable publish",
      "cargo +nightly yank --vers 1.0.0 demo",
      "cargo install --git https://git.example/tool",
      "cargo owner --remove",
      "cargo release --execute",
      "cargo workspaces publish",
    ],
    pass: [
      "cargo publish --dry-run",
      "cargo publish -n",
      "cargo package",
      "cargo build --release",
      "cargo yank --undo --version 1.0.0 core",
      "cargo search publish",
      "cargo +stable publish --dry-run",
      "cargo +nightly fmt",
      "cargo --color always build",
      "cargo --color publish build",
      "cargo +stable install ripgrep",
      "cargo +stable help publish",
      "cargo install ripgrep",
      "cargo +nightly build",
    ],
  },
});
