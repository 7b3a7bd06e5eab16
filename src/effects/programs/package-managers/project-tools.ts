import type { Word } from "../../../shell/command.ts";
import type { Family } from "../../effect.ts";
import { unitOf } from "../../families.ts";
import { quotedWords } from "../../line/line-text.ts";

/** Tools for the database of a project, which an interpreter or a package manager starts. */
const PROJECT_TOOLS = new Set(
  `prisma rake hanami sequelize sequelize-cli knex alembic flask flyway sqitch hdfs hadoop liquibase artisan typeorm
  typeorm-ts-node-commonjs mikro-orm mix supabase drizzle-kit convex hasura dbmate migrate goose diesel sqlx sea-orm-cli
  atlas phinx dotnet encore pscale neonctl`.split(/\s+/),
);
/** Scripts that only an interpreter starts. */
const SCRIPTS = new Set(["manage.py", "console", "rails"]);

/** Subcommands of package managers that are not the name of a tool. */
const OWN_WORDS =
  /^(?:add|audit|bin|cache|ci|config|create|deploy|dlx|exec|help|info|init|install|i|link|list|ls|login|logout|outdated|owner|pack|patch|publish|rebuild|remove|rm|run|run-script|store|test|t|unlink|uninstall|unpublish|update|up|upgrade|version|view|why|workspace|workspaces|x)$/;

/** `pnpm prisma …`, `yarn run knex …`: the tool is in node_modules. */
export const projectTool: Family = (command, scene) => {
  // What it starts is on the line as a command of its own.
  if (command.wraps) return [];
  const words = command.argv.slice(1);
  const [first, ...rest] = /^(?:-s|--silent)$/.test(words[0]?.text ?? "") ? words.slice(1) : words;
  if (!first?.known || first.text.startsWith("-")) return [];
  const starts = /^(?:run|exec|dlx|x|run-script)$/.test(first.text);
  const inner = starts ? withoutDashes(rest) : OWN_WORDS.test(first.text) ? [] : [first, ...rest];
  // A script of package.json may be called like a tool's command; only names of tools are followed.
  const follows = /^(?:dlx|x)$/.test(first.text) || PROJECT_TOOLS.has(inner[0]?.text ?? "");
  return follows ? scene.nested(quotedWords(inner), command) : [];
};

function withoutDashes(words: readonly Word[]): readonly Word[] {
  const [first] = words;
  return first?.text === "--" ? words.slice(1) : words;
}

/** npm-release tools may be started by a package manager under their own name. */
export const releaseTool: Family = (command, scene) => {
  const [first, ...rest] = command.argv.slice(1);
  const words = /^(?:run|exec)$/.test(first?.text ?? "") ? rest : first ? [first, ...rest] : [];
  const name = words[0]?.text ?? "";
  return /^(?:changeset|lerna|semantic-release|np|release-it|vsce|ovsx|jsr|auto)$/.test(name)
    ? scene.nested(quotedWords(words), command)
    : [];
};

/** `php artisan …`, `python manage.py …`, `ts-node …/.bin/typeorm`: what the unit of the script says. */
export const projectScript: Family = (command, scene) => {
  const words = command.argv.slice(1);
  const at = words.findIndex((word) => word.known && !word.text.startsWith("-"));
  const name = words[at]?.text.split("/").at(-1) ?? "";
  const unit = PROJECT_TOOLS.has(name) || SCRIPTS.has(name) ? unitOf(name) : undefined;
  if (!unit) return [];
  const argv = words.slice(at);
  const found = unit.effects({ ...command, argv, args: command.args.slice(at + 1) }, scene);
  return found.length === 0 ? found : found.map((one) => ({ ...one, by: command }));
};

/** `npx @mikro-orm/cli`, `npx @changesets/cli`: the package is called by its scope. */
export const scopedPackage: Family = (command, scene) => {
  const [, scope] = /^@(mikro-orm|changesets)\//.exec(command.argv[0]?.text ?? "") ?? [];
  return scope === undefined ? [] : (unitOf(scope.replace(/sets$/, "set"))?.effects(command, scene) ?? []);
};
