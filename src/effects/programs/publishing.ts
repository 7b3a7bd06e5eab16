import { knownWord } from "../../shell/command.ts";
import { effect, type Family } from "../effect.ts";
import { quotedWords } from "../line/line-text.ts";
import { has, named, ofCargo, type Rule, readLoosely, type Tool, toolFamily, valuesOf } from "../tool.ts";
import { LOCAL_IMAGE, toOthers } from "./local-registry.ts";

const release = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toOthers(toolFamily({ kind: "publish", dry: "dry-run", rules, ...more }));
const PACKAGE = "publishes a version, which cannot be undone";
const UNPUBLISH = "withdraws a published version for everyone";
const DESTROY = { kind: "destroy-infrastructure" } as const;

const NPM = release(
  [
    ["publish|publis|publi|publ|pub", PACKAGE, { instead: "run it with --dry-run first" }],
    ["unpublish", UNPUBLISH],
    ["deprecate", "marks {} as deprecated for everyone"],
    ["owner rm", "removes an owner of the package"],
    ["access public|set", "changes who can see the package"],
    ["org rm", "removes a member"],
    ["npm publish", PACKAGE],
    ["workspace * publish", PACKAGE],
    ["workspace * npm publish", PACKAGE],
    ["workspaces foreach npm publish", PACKAGE],
  ],
  { values: "tag access otp registry w workspace C prefix filter F dir", dry: "dry-run n" },
);

const CARGO = release(
  [
    ["publish", PACKAGE],
    ["yank", "withdraws the version {}", { unless: "undo" }],
    ["owner", "removes an owner", { needs: "remove r" }],
    ["release|smart-release", PACKAGE, { needs: "execute x" }],
    ["workspaces|ws publish", PACKAGE],
  ],
  { values: "p package manifest-path registry index token vers version Z config color", dry: "dry-run n list" },
);

/** An image goes to the public unless its registry is this machine. */
const pushesImage: Family = (command) => {
  const reading = readLoosely(
    command.argv.slice(1),
    "H host c context l log-level config platform authfile creds f file t tag build-arg p project-name o output",
  );
  const [first, second] = reading.operands.map(({ text }) => text);
  const direct = first === "push" || (/^(?:image|manifest|compose)$/.test(first ?? "") && second === "push");
  const built =
    (first === "build" || (first === "buildx" && /^(?:build|bake|b)$/.test(second ?? ""))) &&
    (has(reading, "push") || valuesOf(reading, "output").some(({ text }) => /push=true|type=registry/.test(text)));
  const images = direct ? reading.operands.slice(first === "push" ? 1 : 2) : valuesOf(reading, "t tag");
  if (!direct && !built) return [];
  if (images.length > 0 && images.every(({ text }) => LOCAL_IMAGE.test(text))) return [];
  const target = images.map(({ text }) => text).join(" ");
  return [effect("publish", command, `pushes the image ${target} to its registry`.replace("  ", " "), { target })];
};

const gradle: Family = (command) => {
  const tasks = readLoosely(
    command.argv.slice(1),
    "p project-dir b build-file c settings-file I init-script x exclude-task",
  ).operands;
  const dry = command.args.some((word) => word === "-m" || word === "--dry-run");
  const task = tasks.find(
    ({ text }) =>
      /(?:^|:)(?:publish|uploadArchives|closeAndRelease|bintrayUpload)/.test(text) && !/MavenLocal/.test(text),
  );
  return task && !dry ? [effect("publish", command, PACKAGE, { target: task.text })] : [];
};

/** `python -m twine upload`: modules that are programs of their own, and what they are called. */
const MODULES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "twine poetry flit hatch pdm alembic flask ansible sqlite3 esptool".split(" ").map((name) => [name, name]),
  ),
  django: "django-admin",
  awscli: "aws",
};

const module: Family = (command, scene) => {
  const setup = command.args.findIndex((word) => word === "setup.py" || word === "./setup.py");
  if (setup >= 0 && command.args.slice(setup).includes("upload")) return [effect("publish", command, PACKAGE)];
  const at = command.args.indexOf("-m");
  const name = command.args[at + 1];
  if (at < 0 || name === undefined || !Object.hasOwn(MODULES, name)) return [];
  return scene.nested(quotedWords([knownWord(MODULES[name] ?? ""), ...command.argv.slice(at + 3)]), command);
};

/** npm-release tools may be started by a package manager under their own name. */
const throughManager: Family = (command, scene) => {
  const [first, ...rest] = command.argv.slice(1);
  const words = /^(?:run|exec)$/.test(first?.text ?? "") ? rest : first ? [first, ...rest] : [];
  const name = words[0]?.text ?? "";
  return /^(?:changeset|lerna|semantic-release|np|release-it|vsce|ovsx|jsr|auto)$/.test(name)
    ? scene.nested(quotedWords(words), command)
    : [];
};

const RELEASES: Readonly<Record<string, Family>> = {
  twine: release([["upload", PACKAGE]], { values: "r repository repository-url u username p password config-file" }),
  poetry: release([["publish", PACKAGE], ["run"]], {
    values: "C directory P project r repository u username p password",
  }),
  flit: release([["publish", PACKAGE]]),
  hatch: release([["publish", PACKAGE]]),
  pdm: release([["publish", PACKAGE]]),
};

export const PUBLISHING: Readonly<Record<string, Family>> = {
  ...named("npm bun", NPM),
  ...named("yarn pnpm", (command, scene) => [...NPM(command, scene), ...throughManager(command, scene)]),
  ...RELEASES,
  uv: release([["publish", PACKAGE]], { values: "index publish-url token u username p password directory project" }),
  cargo: ofCargo(CARGO),
  gem: release(
    [
      ["push", PACKAGE],
      ["yank", UNPUBLISH],
      ["owner", "removes an owner of {}", { needs: "r remove" }],
    ],
    { values: "k key host" },
  ),
  ...named(
    "mvn mvnw",
    release([["** deploy|deploy:deploy|deploy:deploy-file|release:perform|nexus-staging:release", PACKAGE]], {
      values: "f file s settings P pl D",
    }),
  ),
  ...named("gradle gradlew", gradle),
  sbt: release([
    ["** publish|+publish|publishSigned|+publishSigned|sonatypeRelease|sonatypeBundleRelease|release", PACKAGE],
  ]),
  ...named("docker podman nerdctl buildah", pushesImage),
  ...named(
    "docker-compose",
    release([["push", "pushes images to their registry"]], { values: "f file p project-name profile" }),
  ),
  ...named(
    "crane regctl oras",
    release([
      ["push|copy|cp", "pushes an image to a registry"],
      ["image copy", "pushes an image to a registry"],
      ["delete|tag delete", "deletes an image", DESTROY],
    ]),
  ),
  helm: release([["push", "pushes a chart to a registry"]]),
  goreleaser: release([["release", PACKAGE, { unless: "snapshot" }]], {
    values: "f config",
    dry: "snapshot skip=publish",
  }),
  ...named("semantic-release", release([["**", PACKAGE]], { dry: "dry-run d v version" })),
  ...named(
    "np release-it release-plz",
    release([["**", PACKAGE]], { dry: "dry-run d preview v version release-version changelog" }),
  ),
  conan: release([["upload", PACKAGE]]),
  xcrun: release([["altool", PACKAGE, { needs: "upload-app upload-package" }]]),
  rush: release([["publish", PACKAGE]]),
  nx: release([
    ["release publish", PACKAGE],
    ["release", PACKAGE, { needs: "y yes" }],
  ]),
  vagrant: release([["cloud publish", PACKAGE]]),
  rake: release([["release|release:*", PACKAGE]]),
  changeset: release([["publish", PACKAGE]]),
  lerna: release([["publish", PACKAGE]]),
  auto: release([["shipit|release", PACKAGE]]),
  ...named(
    "vsce ovsx",
    release(
      [
        ["publish", PACKAGE],
        ["unpublish", UNPUBLISH],
      ],
      { values: "p pat i packagePath" },
    ),
  ),
  nuget: release([
    ["push", PACKAGE],
    ["delete", UNPUBLISH],
  ]),
  dotnet: release(
    [
      ["nuget push", PACKAGE],
      ["nuget delete", UNPUBLISH],
    ],
    { values: "s source k api-key" },
  ),
  pod: release([
    ["trunk push", PACKAGE],
    ["trunk delete|deprecate", UNPUBLISH],
  ]),
  ...named("dart flutter", release([["pub publish|lish", PACKAGE]], { values: "C directory", dry: "dry-run n" })),
  mix: release([
    ["hex.publish", PACKAGE, { unless: "revert" }],
    ["hex.retire", UNPUBLISH],
  ]),
  rebar3: release([["hex publish", PACKAGE]]),
  ...named("jsr elm gleam nimble opam rye maturin", release([["publish|upload", PACKAGE]])),
  "ansible-galaxy": release([["collection publish", PACKAGE]]),
  lein: release([["deploy", PACKAGE]]),
  choco: release([["push", PACKAGE]]),
  anaconda: release([["upload", PACKAGE]]),
  "cpan-upload": release([["*", PACKAGE]], { values: "u user p password d directory c config", dry: "dry-run n" }),
  skopeo: (command) =>
    command.argv.at(-1)?.text.startsWith("docker://") && command.args.includes("copy")
      ? [effect("publish", command, "pushes an image to a registry")]
      : [],
  cli: (command, scene) =>
    command.argv[0]?.text.startsWith("@changesets/") ? release([["publish", PACKAGE]])(command, scene) : [],
  deno: release([["publish", PACKAGE]]),
  "wasm-pack": release([["publish", PACKAGE]]),
  luarocks: release([["upload", PACKAGE]]),
  cabal: release([["upload", PACKAGE, { needs: "publish" }]]),
  stack: release([["upload", PACKAGE]]),
  "web-ext": release([["sign", PACKAGE]]),
  snapcraft: release([["upload|push|release", PACKAGE]]),
  fastlane: release([["deliver|supply|upload_to_app_store|upload_to_play_store|release", PACKAGE]]),
  ...named(
    "hf huggingface-cli",
    release([
      ["upload|upload-large-folder", PACKAGE, { unless: "private" }],
      ["repo delete", UNPUBLISH],
    ]),
  ),
  kaggle: release([["datasets|kernels create|push", PACKAGE, { needs: "public u" }]]),
  ...named("charmcraft rockcraft", release([["upload|release|publish-lib", PACKAGE]])),
  buf: release([["push", PACKAGE]]),
  pdk: release([["release publish", PACKAGE]]),
  ...named(
    "eas expo",
    release([
      ["submit|publish", PACKAGE],
      ["build", PACKAGE, { needs: "auto-submit auto-submit-with-profile" }],
    ]),
  ),
  swift: release([["package-registry publish", PACKAGE]], { dry: "dry-run" }),
  ...named("python python3 py", module),
};
