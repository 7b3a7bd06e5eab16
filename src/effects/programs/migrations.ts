import { type Command, knownWord, type Word } from "../../shell/command.ts";
import type { Effect, Family, Scene } from "../effect.ts";
import { scriptEffects } from "../languages/scripts/effects.ts";
import type { Language } from "../languages/scripts/tokens.ts";
import { sqlEffects } from "../languages/sql/effects.ts";
import { fileText, inputText, quotedWords, textWithHoles } from "../line/line-text.ts";
import { named, type Rule, readLoosely, type Tool, toolEffects, toolFamily, valuesOf } from "../tool.ts";

const RESETS = "drops and recreates the database";
const REVERTS = "reverts every migration, which drops the tables and their rows";

const destroys = (rules: readonly Rule[], more: Partial<Tool> = {}): Tool => ({
  kind: "destroy-database",
  rules,
  ...more,
});

const RAILS = destroys(
  [
    [
      "db:drop*|db:reset|db:purge*|db:schema:load*|db:structure:load|db:migrate:reset|db:truncate_all|db:setup|db:seed:replant|db:mongoid:drop|db:mongoid:purge",
      RESETS,
    ],
    ["* db:drop*|db:reset|db:purge*|db:schema:load*|db:migrate:reset|db:truncate_all|db:setup", RESETS],
  ],
  { dry: "T tasks P prereqs" },
);
const DJANGO = destroys(
  [
    ["flush|reset_db|sqlflush_and_run", "removes every row of the database"],
    ["migrate * zero", REVERTS],
  ],
  { values: "settings database pythonpath v", dry: "plan" },
);
const ARTISAN = destroys(
  [
    ["migrate:fresh|migrate:refresh|db:wipe", "drops every table"],
    ["migrate:reset", REVERTS],
  ],
  { dry: "pretend" },
);
const DOCTRINE = destroys(
  [
    ["doctrine:database:drop|d:d:d", "drops the database", { needs: "force f" }],
    ["doctrine:schema:drop", "drops every table", { needs: "force f" }],
    ["doctrine:fixtures:load", "empties the database before it loads fixtures", { unless: "append" }],
  ],
  { dry: "dump-sql" },
);

/** Tools by name. Their reset commands are for a developer's own database, and are run on the wrong one. */
const TOOLS: Readonly<Record<string, Tool>> = {
  prisma: destroys(
    [
      ["migrate reset", RESETS],
      ["db push", "drops everything in the database and recreates its tables", { needs: "force-reset" }],
      ["db push", "drops columns and tables that the schema no longer has", { needs: "accept-data-loss" }],
    ],
    { values: "schema" },
  ),
  rake: { ...RAILS, dry: "n dry-run T tasks P prereqs" },
  hanami: destroys([["db drop|reset", RESETS]]),
  sequelize: destroys([
    ["db:drop", "drops the database"],
    ["db:migrate:undo:all", REVERTS],
  ]),
  "sequelize-cli": destroys([
    ["db:drop", "drops the database"],
    ["db:migrate:undo:all", REVERTS],
  ]),
  knex: destroys([["migrate:rollback", REVERTS, { needs: "all" }]], { values: "knexfile env" }),
  alembic: destroys([["downgrade base", REVERTS]], { values: "c config n name x", dry: "sql" }),
  flask: destroys([["db downgrade base|0", REVERTS]], { values: "app A", dry: "sql" }),
  flyway: destroys([["** clean", "drops everything in the schemas"]], { values: "url user password" }),
  sqitch: destroys([["revert", "reverts every change of the schema"]]),
  ...Object.fromEntries(
    ["hdfs", "hadoop"].map((name) => [
      name,
      destroys([["dfs|fs", "deletes {}", { needs: "rm rmr rmdir skipTrash expunge" }]]),
    ]),
  ),
  liquibase: destroys([["** dropAll|drop-all", "drops everything in the schema"]]),
  artisan: ARTISAN,
  typeorm: destroys([["schema:drop", "drops every table"]], { values: "d dataSource f config" }),
  "typeorm-ts-node-commonjs": destroys([["schema:drop", "drops every table"]]),
  "mikro-orm": destroys([
    ["schema:drop|schema:fresh|database:drop|migration:fresh", "drops every table", { unless: "dump" }],
  ]),
  mix: destroys(
    [
      ["ecto.drop|ecto.reset", RESETS],
      ["ecto.rollback", REVERTS, { needs: "all" }],
    ],
    { values: "r repo" },
  ),
  supabase: destroys([
    ["db reset", RESETS],
    ["projects delete", "deletes the project {}"],
    ["branches delete", "deletes the branch {}"],
    ["stop", "removes the local databases", { needs: "no-backup" }],
    ["functions delete", "deletes the function {}"],
    ["secrets unset", "deletes the secrets {}"],
  ]),
  "drizzle-kit": destroys([
    ["push", "drops columns and tables that the schema no longer has", { needs: "force" }],
    ["drop", "deletes migrations of the project"],
  ]),
  convex: destroys([
    ["import", "replaces the rows of a table with those of the file", { needs: "replace replace-all" }],
  ]),
  hasura: destroys([
    ["migrate apply", REVERTS, { needs: "down" }],
    ["metadata clear", "clears the metadata"],
  ]),
  dbmate: destroys([["drop", "drops the database"]], { values: "u url e env d migrations-dir" }),
  migrate: destroys(
    [
      ["drop", "drops everything in the database"],
      ["down", REVERTS, { needs: "all" }],
    ],
    { values: "path database source" },
  ),
  goose: destroys([["** reset|down-to", REVERTS]], { values: "dir" }),
  diesel: destroys([["database reset|drop", RESETS]]),
  sqlx: destroys([["database drop|reset", RESETS]]),
  "sea-orm-cli": destroys([["migrate fresh|reset|refresh", RESETS]]),
  atlas: destroys([["schema clean", "drops everything in the schema"]]),
  phinx: destroys([["rollback", REVERTS, { needs: "t" }]]),
  dotnet: destroys([["ef database drop|delete", "drops the database"]], { dry: "dry-run" }),
  encore: destroys([["db reset|drop", RESETS]]),
  pscale: destroys([["database|branch delete", "deletes {}"]]),
  neonctl: destroys([
    ["projects|branches|databases delete", "deletes {}"],
    ["branches reset|restore", "replaces the data of the branch {}"],
  ]),
};

/** Subcommands of package managers that are not the name of a tool. */
const OWN_WORDS =
  /^(?:add|audit|bin|cache|ci|config|create|deploy|dlx|exec|help|info|init|install|i|link|list|ls|login|logout|outdated|owner|pack|patch|publish|rebuild|remove|rm|run|run-script|store|test|t|unlink|uninstall|unpublish|update|up|upgrade|version|view|why|workspace|workspaces|x)$/;

/** `pnpm prisma …`, `yarn run knex …`: the tool is in node_modules. */
const packageManager: Family = (command, scene) => {
  // What it starts is on the line as a command of its own.
  if (command.wraps) return [];
  const words = command.argv.slice(1);
  const [first, ...rest] = /^(?:-s|--silent)$/.test(words[0]?.text ?? "") ? words.slice(1) : words;
  if (!first?.known || first.text.startsWith("-")) return [];
  const starts = /^(?:run|exec|dlx|x|run-script)$/.test(first.text);
  const inner = starts ? withoutDashes(rest) : OWN_WORDS.test(first.text) ? [] : [first, ...rest];
  // A script of package.json may be called like a tool's command; only names of tools are followed.
  const follows = /^(?:dlx|x)$/.test(first.text) || Object.hasOwn(TOOLS, inner[0]?.text ?? "");
  return follows ? scene.nested(quotedWords(inner), command) : [];
};

function withoutDashes(words: readonly Word[]): readonly Word[] {
  const [first] = words;
  return first?.text === "--" ? words.slice(1) : words;
}

/** Scripts of a project that an interpreter is told to run. */
const PROJECT_SCRIPTS: Readonly<Record<string, Tool>> = {
  ...TOOLS,
  "manage.py": DJANGO,
  console: DOCTRINE,
  rails: RAILS,
};

/** `php artisan …`, `python manage.py …`, `ts-node …/.bin/typeorm`: the tool is a script in the project. */
const scripted: Family = (command, scene) => {
  const words = command.argv.slice(1);
  const at = words.findIndex((word) => word.known && !word.text.startsWith("-"));
  const script = words[at]?.text.split("/").at(-1) ?? "";
  const tool = Object.hasOwn(PROJECT_SCRIPTS, script) ? PROJECT_SCRIPTS[script] : undefined;
  return tool ? withScripts(tool, script, command, scene, words.slice(at + 1)) : [];
};

/** Frameworks that run a text in their own language: where it stands, and which it is. */
const RUNNERS: Readonly<
  Record<string, { readonly word: string; readonly option?: string; readonly language: Language }>
> = {
  rails: { word: "runner", language: "ruby" },
  "manage.py": { word: "shell", option: "c command", language: "python" },
  artisan: { word: "tinker", option: "execute", language: "php" },
};

function withScripts(
  tool: Tool,
  name: string,
  command: Command,
  scene: Scene,
  words: readonly Word[],
): readonly Effect[] {
  const runner = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  const reading = readLoosely(words, `e environment ${runner?.option ?? ""}`);
  const [first, text] = reading.operands;
  if (name === "manage.py" && first?.text === "dbshell") {
    const [given] = valuesOf(readLoosely(reading.rest, "c command e execute"), "c command e execute");
    return sqlEffects(textWithHoles(given) ?? inputText(command, scene) ?? "", {}, command, scene);
  }
  if (name === "rails" && /^(?:c|console)$/.test(first?.text ?? ""))
    return scriptEffects(inputText(command, scene) ?? "", "ruby", { command, scene, args: [] });
  if (!runner || (first?.text !== runner.word && first?.text !== "r")) return toolEffects(tool, command, words);
  const script = runner.option ? valuesOf(reading, runner.option)[0] : text;
  return scriptEffects(textWithHoles(script) ?? "", runner.language, { command, scene, args: [] });
}

/** `prisma db execute --stdin`, `--file` */
function executed(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "schema url file");
  const [first, second] = reading.operands;
  if (first?.text !== "db" || second?.text !== "execute") return [];
  const [file] = valuesOf(reading, "file");
  const text = file ? fileText(file, command, scene) : inputText(command, scene);
  return sqlEffects(text ?? "", {}, command, scene);
}

/** `typeorm query 'SQL'` */
function queried(command: Command, scene: Scene): readonly Effect[] {
  const [verb, text] = readLoosely(command.argv.slice(1), "d dataSource f config c connection").operands;
  return verb?.text === "query" ? sqlEffects(textWithHoles(text) ?? "", {}, command, scene) : [];
}

/** Plugins of build tools that do what the tools of the same name do. */
const BUILD_PLUGINS = destroys([["** flyway:clean|flywayClean|liquibase:dropAll", "drops everything in the schemas"]], {
  values: "f file s settings P pl p b c I x",
  dry: "dry-run m",
});

export const MIGRATIONS: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(Object.entries(TOOLS).map(([name, tool]) => [name, toolFamily(tool)])),
  typeorm: (command, scene) => [...toolFamily(TOOLS.typeorm ?? RAILS)(command, scene), ...queried(command, scene)],
  prisma: (command, scene) => [...toolFamily(TOOLS.prisma ?? RAILS)(command, scene), ...executed(command, scene)],
  // `npx @mikro-orm/cli`: the package is called by its scope.
  cli: (command, scene) =>
    command.argv[0]?.text.startsWith("@mikro-orm/") ? toolFamily(TOOLS["mikro-orm"] ?? RAILS)(command, scene) : [],
  rails: (command, scene) => withScripts(RAILS, "rails", command, scene, command.argv.slice(1)),
  ...named("manage.py django-admin", (command, scene) =>
    withScripts(DJANGO, "manage.py", command, scene, command.argv.slice(1)),
  ),
  console: toolFamily(DOCTRINE),
  ...named("mvn mvnw gradle gradlew", toolFamily(BUILD_PLUGINS)),
  ...named("pnpm yarn bun npm", packageManager),
  ...named("php python python3 ruby symfony node tsx ts-node", scripted),
  sail: (command, scene) => scene.nested(quotedWords([knownWord("php"), ...command.argv.slice(1)]), command),
};
