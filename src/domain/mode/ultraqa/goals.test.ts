import { describe, expect, it } from "vitest";
import { readShell } from "../../../shell/shell.ts";
import { GOALS, type Goal } from "./goal-names.ts";
import { extentOf, usualGoalOf } from "./goals.ts";

const extent = (goal: Goal, line: string) => {
  const { commands } = readShell(line, { cwd: "/p" });
  return commands.map((one) => extentOf(goal, one)).find((one) => one !== undefined);
};

describe("checks the whole goal", () => {
  it.each<[Goal, string]>(
    (
      [
        [
          "tests",
          "npm test|npm t|npm run test|pnpm test|pnpm -r test|yarn test|bun test|bun run test|npm test --silent",
        ],
        [
          "tests",
          "npx vitest run|vitest run --reporter=dot|npx jest --config jest.config.js|npx mocha|npx playwright test",
        ],
        ["tests", "node --test|node --test test/|deno test|npx ava|npx cypress run"],
        ["tests", "pytest|pytest -q|pytest tests|pytest -n 4 tests|python -m pytest|python3 -m unittest|tox"],
        ["tests", "python manage.py test|uv run pytest|poetry run pytest -x"],
        ["tests", "cargo test|cargo test --all-features|cargo nextest run|go test ./...|go test -race ./...|gotestsum"],
        [
          "tests",
          "make test|make check|make -j4 test|just test|mvn test|./mvnw clean verify|./gradlew test|gradle check",
        ],
        [
          "tests",
          "dotnet test|bundle exec rspec|rake test|rails test|vendor/bin/phpunit|composer test|php artisan test",
        ],
        ["tests", "mix test|swift test|ctest|bazel test //...|sbt test|flutter test|turbo test|CI=1 npm test"],
        ["build", "npm run build|tsc|vite build|cargo build --release|go build ./...|make|make build|mvn package"],
        ["build", "./gradlew build|dotnet build|cmake --build build|docker build -t x .|mix compile|swift build"],
        [
          "lint",
          "npm run lint|npx eslint .|eslint src --max-warnings 0|npx biome check|ruff check .|flake8|cargo clippy",
        ],
        [
          "lint",
          "golangci-lint run|go vet ./...|make lint|rubocop|prettier --check .|black --check .|pre-commit run -a",
        ],
        ["typecheck", "npm run typecheck|npm run type-check|npx tsc --noEmit|tsc -b|vue-tsc --noEmit|mypy .|pyright"],
        ["typecheck", "cargo check|svelte-check|deno check .|make typecheck|phpstan analyse src"],
      ] as [Goal, string][]
    ).flatMap(([goal, lines]) => lines.split("|").map((line): [Goal, string] => [goal, line])),
  )("%s: %s", (goal, line) => {
    expect(extent(goal, line)).toBe("whole");
  });
});

describe("checks a part only", () => {
  it.each<[Goal, string]>([
    ["tests", "npm test -- login"],
    ["tests", "npm test -w web"],
    ["tests", "vitest run src/a.test.ts"],
    ["tests", "vitest run -t login"],
    ["tests", "jest --findRelatedTests a.ts"],
    ["tests", "jest --changedSince main --onlyChanged"],
    ["tests", "pytest tests/test_a.py"],
    ["tests", "pytest -k login"],
    ["tests", "pytest --lf"],
    ["tests", "pytest tests/test_a.py::test_b"],
    ["tests", "cargo test login"],
    ["tests", "cargo test -p core"],
    ["tests", "go test ./internal/a"],
    ["tests", "go test -run TestA ./..."],
    ["tests", "rspec spec/a_spec.rb:12"],
    ["tests", "mix test test/a_test.exs"],
    ["tests", "ctest -R login"],
    ["tests", 'pytest "$FILE"'],
    ["lint", "eslint src/a.ts"],
    ["typecheck", "mypy app/a.py"],
    ["build", "make all extra"],
  ])("%s: %s", (goal, line) => {
    expect(extent(goal, line)).toBe("part");
  });
});

describe("checks nothing of the goal", () => {
  it.each<[Goal, string]>([
    ["tests", "npm run build"],
    ["tests", "npm install"],
    ["tests", "npm run test:unit"],
    ["tests", "npm test --if-present"],
    ["tests", "jest --passWithNoTests"],
    ["tests", "jest --listTests"],
    ["tests", "jest --watch"],
    ["tests", "vitest -w"],
    ["tests", "pytest --collect-only"],
    ["tests", "pytest --version"],
    ["tests", "cargo test --no-run"],
    ["tests", "make -n test"],
    ["tests", "make -i test"],
    ["tests", "mvn test -DskipTests"],
    ["tests", "mvn -fn test"],
    ["tests", "node test.js"],
    ["tests", "python test.py"],
    ["tests", "test -f package.json"],
    ["tests", "echo npm test"],
    ["tests", "$RUNNER test"],
    ["build", "npm test"],
    ["build", "tsc --noEmit"],
    ["build", "tsc --watch"],
    ["lint", "prettier --write ."],
    ["lint", "black ."],
    ["lint", "ruff check --exit-zero ."],
    ["lint", "golangci-lint run --issues-exit-code=0"],
    ["typecheck", "tsc"],
    ["custom", "npm test"],
  ])("%s: %s", (goal, line) => {
    expect(extent(goal, line)).toBeUndefined();
  });
});

it.each([
  ["npm test", "tests"],
  ["npm run build", "build"],
  ["npx eslint .", undefined],
  ["eslint .", "lint"],
  ["tsc --noEmit", "typecheck"],
  ["make check", "tests"],
  ["sh check.sh", undefined],
  ["", undefined],
])("`%s` is by itself a check of %s", (line, goal) => {
  expect(usualGoalOf(line.split(" "))).toBe(goal);
  expect([undefined, ...GOALS]).toContain(goal);
});
