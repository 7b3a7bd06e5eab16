import type { Command, Word } from "../command.ts";
import { type Effect, effect, type Family, type Scene } from "./effect.ts";
import { textWithHoles } from "./line-text.ts";
import { sqlEffects } from "./sql-effects.ts";
import { named, type Rule, readLoosely, type Tool, toolFamily, valuesOf } from "./tool.ts";

const platform = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "destroy-infrastructure", rules, ...more });
const both =
  (...families: readonly Family[]): Family =>
  (command, scene) =>
    families.flatMap((family) => family(command, scene));

/** A text for a shell on another machine, in an option or in the words after a verb. */
function hands(words: string, options: string | undefined): Family {
  return (command, scene) => {
    const reading = readLoosely(command.argv.slice(1), `a app ${options ?? ""}`);
    const verbs = words.split(" ");
    if (!verbs.every((verb, at) => reading.operands[at]?.text === verb)) return [];
    const texts = options ? valuesOf(reading, options) : [joined(reading.operands.slice(verbs.length))];
    return texts.flatMap((text) => scene.nested(textWithHoles(text) ?? "", command));
  };
}

function joined(words: readonly Word[]): Word {
  return { text: words.map((word) => textWithHoles(word) ?? "\uf0ff").join(" "), known: true };
}

/** SQL in an option, after these words. */
function sends(words: string, options: string): Family {
  return (command, scene) => {
    const reading = readLoosely(command.argv.slice(1), `a app ${options}`);
    if (!words.split(" ").every((word, at) => reading.operands[at]?.text === word)) return [];
    return valuesOf(reading, options).flatMap((text) => sqlEffects(textWithHoles(text) ?? "", {}, command, scene));
  };
}

const ABSENT = /(?:^|\s)state=absent\b/;

/** `ansible hosts -m module -a arguments`: a shell on many machines. */
function ansible(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(
    command.argv.slice(1),
    "m module-name a args i inventory u user l limit f forks e extra-vars",
  );
  if (reading.given.has("C") || reading.given.has("check")) return [];
  const [module] = valuesOf(reading, "m module-name");
  const [args] = valuesOf(reading, "a args");
  const text = textWithHoles(args) ?? "";
  const name = (module?.text ?? "command").split(".").at(-1) ?? "";
  if (/^(?:shell|command|raw|script)$/.test(name)) return scene.nested(text, { ...command, remote: true });
  const path = /(?:^|\s)(?:path|dest|name)=(\S+)/.exec(text)?.[1] ?? "";
  if (name === "file" && ABSENT.test(text))
    return [effect("delete-tree", command, `deletes ${path} on every host`, { target: path })];
  if (/(?:_db|_user|docker_volume)$/.test(name) && ABSENT.test(text))
    return [effect("destroy-database", command, `removes ${path} on every host`, { target: path })];
  return [];
}

/** `salt '*' cmd.run 'text'` */
function salt(command: Command, scene: Scene): readonly Effect[] {
  const { operands } = readLoosely(command.argv.slice(1), "t timeout");
  const at = operands.findIndex(({ text }) => text === "cmd.run" || text === "cmd.shell");
  return at < 0 ? [] : scene.nested(textWithHoles(operands[at + 1]) ?? "", command);
}

/** Services whose address alone says that much goes with one request. */
const WHOLE_THINGS =
  /:9200\/(?:_all|\*|[\w.*-]+)\/?$|^https:\/\/api\.(?:github\.com\/repos\/[^/]+\/[^/]+|heroku\.com\/apps\/[^/]+|cloudflare\.com\/client\/v4\/zones\/[^/]+|digitalocean\.com\/v2\/(?:droplets|databases|volumes)\/[^/]+)\/?$/;

function requests(command: Command): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "X request H header u user d data o output url method");
  const deletes = valuesOf(reading, "X request method").some(({ text }) => text.toUpperCase() === "DELETE");
  const emptied = reading.operands.find(({ text }) => /\/_delete_by_query\b/.test(text));
  if (emptied && valuesOf(reading, "d data").some(({ text }) => text.includes("match_all")))
    return [effect("destroy-database", command, "deletes every document", { target: emptied.text })];
  if (!deletes) return [];
  return [...reading.operands, ...valuesOf(reading, "url")]
    .filter(({ text }) => WHOLE_THINGS.test(text))
    .map(({ text }) => effect("destroy-infrastructure", command, `deletes what is at ${text}`, { target: text }));
}

/** Changes to names and commands for machines that stand in a JSON text. */
function awsTexts(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "change-batch parameters profile region");
  const [first, second] = reading.operands.map(({ text }) => text);
  const batch = valuesOf(reading, "change-batch").some(({ text }) => /"Action"\s*:\s*"DELETE"/.test(text));
  if (first === "route53" && batch) return [effect("destroy-infrastructure", command, "deletes names from the zone")];
  if (first !== "ssm" || second !== "send-command") return [];
  const texts = valuesOf(reading, "parameters").flatMap(
    ({ text }) => /commands"?\s*[=:]\s*\[?(.*?)\]?\}?$/s.exec(text)?.[1] ?? [],
  );
  return texts.flatMap((text) => scene.nested(text.replace(/^["']|["']$/g, ""), { ...command, remote: true }));
}

const HEROKU = platform(
  [
    ["apps:destroy|destroy|addons:destroy|pipelines:destroy|spaces:destroy|redis:destroy", "destroys {}"],
    ["pg:reset", "removes everything from the database {}", { kind: "destroy-database" }],
    ["pg:backups:delete|repo:reset", "deletes {}"],
    ["pg:copy|pg:backups:restore|pg:push", "replaces the database {}", { kind: "destroy-database" }],
  ],
  { values: "a app r remote c confirm" },
);
const FLY = platform(
  [
    ["apps|machine|machines|m|volumes|volume|vol|mpg|redis|storage destroy|delete|rm|remove", "destroys {}"],
    ["destroy", "destroys the app {}"],
  ],
  { values: "a app c config" },
);
const WRANGLER = platform(
  [
    ["delete", "deletes the worker {}"],
    ["d1|queues|hyperdrive|vectorize|workflows|pipelines delete", "deletes {}"],
    ["kv:namespace|kv:key|kv:bulk|r2:bucket delete", "deletes {}"],
    ["kv|r2|pages namespace|key|bulk|bucket|object|project|deployment delete", "deletes {}"],
  ],
  { values: "c config e env name", dry: "dry-run" },
);

export const PLATFORMS: Readonly<Record<string, Family>> = {
  heroku: both(HEROKU, hands("run", undefined), sends("pg:psql", "c command")),
  ...named("fly flyctl", both(FLY, hands("ssh console", "C command"))),
  wrangler: both(WRANGLER, sends("d1 execute", "command")),
  aws: awsTexts,
  gcloud: hands("compute ssh", "command"),
  cloudflared: platform([["tunnel delete", "deletes the tunnel {}"]]),
  vagrant: hands("ssh", "c command"),
  ...named(
    "vercel now",
    platform(
      [
        ["rm|remove", "removes {}"],
        ["project|domains|dns|blob rm|remove|del", "removes {}"],
      ],
      { values: "t token S scope" },
    ),
  ),
  ...named(
    "netlify ntl",
    platform([
      ["sites:delete", "deletes the site {}"],
      ["blobs:delete", "deletes {}"],
    ]),
  ),
  firebase: platform(
    [
      ["firestore:delete|database:remove", "deletes {}", { kind: "destroy-database" }],
      [
        "functions:delete|hosting:disable|hosting:sites:delete|apphosting:backends:delete|firestore:databases:delete",
        "takes {} down",
      ],
    ],
    { values: "P project token" },
  ),
  railway: platform([
    ["down|delete", "removes what was deployed"],
    ["volume|environment delete|rm", "deletes {}"],
  ]),
  surge: platform([["teardown", "takes {} down"]]),
  dokku: platform([
    ["apps:destroy|postgres:destroy|mysql:destroy|redis:destroy|mongo:destroy|storage:destroy", "destroys {}"],
  ]),
  cf: platform([["delete|delete-org|delete-space|delete-service|delete-orphaned-routes", "deletes {}"]]),
  ansible,
  salt,
  ...named("curl http https xh", requests),
};
