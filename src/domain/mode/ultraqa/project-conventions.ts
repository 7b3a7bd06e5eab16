import path from "node:path";
import type { ModeReader } from "../machine.ts";
import type { UsualGoal } from "./goal-names.ts";

type Read = Pick<ModeReader, "text">;
type Commands = Partial<Readonly<Record<UsualGoal, string>>>;

/** What is usual where one of these files is, in the order in which they are asked. */
const CONVENTIONS: readonly (readonly [files: string, Commands])[] = [
  [
    "Cargo.toml",
    { tests: "cargo test", build: "cargo build", lint: "cargo clippy -- -D warnings", typecheck: "cargo check" },
  ],
  ["go.mod", { tests: "go test ./...", build: "go build ./...", lint: "go vet ./...", typecheck: "go build ./..." }],
  ["deno.json deno.jsonc", { tests: "deno test", lint: "deno lint", typecheck: "deno check ." }],
  ["mvnw", { tests: "./mvnw test", build: "./mvnw package", typecheck: "./mvnw compile" }],
  ["pom.xml", { tests: "mvn test", build: "mvn package", typecheck: "mvn compile" }],
  ["gradlew", { tests: "./gradlew test", build: "./gradlew assemble" }],
  ["build.gradle build.gradle.kts", { tests: "gradle test", build: "gradle assemble" }],
  ["mix.exs", { tests: "mix test", build: "mix compile" }],
  ["Package.swift", { tests: "swift test", build: "swift build" }],
  ["pubspec.yaml", { tests: "dart test", lint: "dart analyze", typecheck: "dart analyze" }],
  ["build.sbt", { tests: "sbt test", build: "sbt compile" }],
  ["stack.yaml", { tests: "stack test", build: "stack build" }],
  [".rspec", { tests: "bundle exec rspec" }],
  ["Rakefile", { tests: "bundle exec rake test" }],
  [".rubocop.yml", { lint: "bundle exec rubocop" }],
  ["phpunit.xml phpunit.xml.dist", { tests: "vendor/bin/phpunit" }],
  ["phpstan.neon phpstan.neon.dist", { typecheck: "vendor/bin/phpstan analyse" }],
  ["tsconfig.json", { typecheck: "npx tsc --noEmit" }],
  ["biome.json biome.jsonc", { lint: "npx biome check" }],
  ["eslint.config.js eslint.config.mjs eslint.config.cjs eslint.config.ts", { lint: "npx eslint ." }],
  [".eslintrc.json .eslintrc.js .eslintrc.cjs .eslintrc.yml", { lint: "npx eslint ." }],
];

export function conventionIn(goal: UsualGoal, folder: string, reader: Read): string | undefined {
  for (const [files, commands] of CONVENTIONS) {
    const command = commands[goal];
    if (command !== undefined && isAnyThere(files, folder, reader)) return command;
  }
  return pythonCheck(goal, folder, reader);
}

function isAnyThere(files: string, folder: string, reader: Read): boolean {
  return files.split(" ").some((file) => reader.text(path.join(folder, file), "is there", () => true) === true);
}

/** Programs that are named in these files, or have a file of their own. */
const PYTHON_FILES = [
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "setup.py",
  "requirements.txt",
  "requirements-dev.txt",
  "Pipfile",
];
const PYTHON_TOOLS = ["pytest", "ruff", "flake8", "mypy", "pyright"] as const;
const OWN_FILES: Readonly<Record<(typeof PYTHON_TOOLS)[number], string>> = {
  pytest: "pytest.ini conftest.py",
  ruff: "ruff.toml .ruff.toml",
  flake8: ".flake8",
  mypy: "mypy.ini .mypy.ini",
  pyright: "pyrightconfig.json",
};

/** How a project starts the programs that it has installed for itself. */
const LAUNCHERS: readonly (readonly [file: string, before: string])[] = [
  ["uv.lock", "uv run "],
  ["poetry.lock", "poetry run "],
  ["pdm.lock", "pdm run "],
  ["Pipfile.lock", "pipenv run "],
  [".venv/pyvenv.cfg", ".venv/bin/"],
  ["venv/pyvenv.cfg", "venv/bin/"],
];

function pythonCheck(goal: UsualGoal, folder: string, reader: Read): string | undefined {
  if (goal === "build") return undefined;
  const named = PYTHON_FILES.map((file) =>
    reader.text(path.join(folder, file), "python tools", (text) => PYTHON_TOOLS.filter((tool) => text.includes(tool))),
  );
  const has = (tool: (typeof PYTHON_TOOLS)[number]): boolean =>
    named.some((tools) => tools?.includes(tool)) || isAnyThere(OWN_FILES[tool], folder, reader);
  const before = LAUNCHERS.find(([file]) => isAnyThere(file, folder, reader))?.[1] ?? "";
  if (goal === "lint") return has("ruff") ? `${before}ruff check .` : has("flake8") ? `${before}flake8` : undefined;
  if (goal === "typecheck") return has("mypy") ? `${before}mypy .` : has("pyright") ? `${before}pyright` : undefined;
  if (has("pytest")) return `${before}pytest`;
  const python = `${before}${before === "" ? "python3" : "python"}`;
  if (isAnyThere("manage.py", folder, reader)) return `${python} manage.py test`;
  return named.some((tools) => tools !== undefined) ? `${python} -m unittest` : undefined;
}
