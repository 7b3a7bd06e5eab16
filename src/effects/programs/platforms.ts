import type { Command, Word } from "../../shell/command.ts";
import { type Effect, effect, type Family, type Scene } from "../effect.ts";
import { sqlEffects } from "../languages/sql/effects.ts";
import { quotedWords, textWithHoles } from "../line/line-text.ts";
import { both, named, type Rule, readLoosely, type Tool, toolFamily, valuesOf } from "../tool.ts";

const platform = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "destroy-infrastructure", rules, ...more });

/** A text for a shell on another machine, in an option or in the words after a verb. */
function hands(words: string, options: string | undefined): Family {
  return (command, scene) => {
    const reading = readLoosely(command.argv.slice(1), `a app ${options ?? ""}`);
    const verbs = words.split(" ");
    if (!verbs.every((verb, at) => reading.operands[at]?.text === verb)) return [];
    const texts = options ? valuesOf(reading, options) : [joined(from(reading.operands[verbs.length], command))];
    return texts.flatMap((text) => scene.nested(textWithHoles(text) ?? "", command));
  };
}

/** The word and all behind it, with the options of what is started, but without the app that may stand last. */
function from(word: Word | undefined, { argv }: Command): readonly Word[] {
  const end = /^(?:-a|--app)$/.test(argv.at(-2)?.text ?? "") ? -2 : undefined;
  return word ? argv.slice(argv.indexOf(word), end) : [];
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

/** A text for a shell on other machines that stands so many words behind a verb. */
function after(verb: RegExp, skipped: number): Family {
  return (command, scene) => {
    const { operands } = readLoosely(command.argv.slice(1), "t targets u user g group m machine x P");
    const at = operands.findIndex(({ text }) => verb.test(text));
    const start = verb.source === "^" ? 0 : at + 1 + skipped;
    if (at < 0) return [];
    const [only, more] = operands.slice(start);
    const text = more ? joined(from(only, command)).text : (textWithHoles(only) ?? "");
    return scene.nested(text, { ...command, remote: true });
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
  if (name === "reboot" || name === "win_reboot")
    return [effect("kill-everything", command, "restarts every host", { target: name })];
  const account = name === "user" && /(?:^|\s)remove=(?:yes|true)/.test(text);
  if (
    (account || /(?:_db|_user|_volume|_bucket|_instance|^lvol|^lvg|^zfs|^filesystem|^k8s|^helm)$/.test(name)) &&
    ABSENT.test(text)
  )
    return [effect("destroy-database", command, `removes ${path} on every host`, { target: path })];
  return [];
}

/** Functions of salt's modules that lose something, by their own names. */
const SALT_LOSES =
  /^(?:file\.(?:remove|rmdir|truncate)|pkg\.purge|system\.(?:poweroff|shutdown|halt|reboot|init)|user\.delete|group\.delete|state\.sls_id_absent|\w+\.(?:db_remove|user_remove|drop_\w+|destroy\w*|purge\w*|delete_\w+|rm_\w+|lvremove|vgremove|mkfs\w*))$/;

/** `salt '*' cmd.run 'text'`, `salt '*' file.remove path` */
function salt(command: Command, scene: Scene): readonly Effect[] {
  const { operands } = readLoosely(command.argv.slice(1), "t timeout b batch-size out output");
  if (operands.some(({ text }) => /^test=true$/i.test(text))) return [];
  const at = operands.findIndex(({ text }) => /^cmd\.(?:run|shell|run_all|run_stdout|script)$/.test(text));
  if (at >= 0) return scene.nested(textWithHoles(operands[at + 1]) ?? "", { ...command, remote: true });
  const call = operands.findIndex(({ text }, index) => index < 2 && SALT_LOSES.test(text));
  if (call < 0) return [];
  const target = operands[call + 1]?.text ?? "";
  return [effect("delete-tree", command, `runs ${operands[call]?.text} for ${target}`.trim(), { target })];
}

/** `puppet resource file /srv ensure=absent` */
function puppet(command: Command): readonly Effect[] {
  const { operands, given } = readLoosely(command.argv.slice(1));
  const [verb, type, name] = operands.map(({ text }) => text);
  const absent = operands.some(({ text }) => /^ensure=(?:absent|purged)$/.test(text));
  if (verb !== "resource" || !absent || given.has("noop")) return [];
  return /^(?:file|user|group|mount|logical_volume|volume_group|filesystem|database|mysql_\w+|postgresql_\w+)$/.test(
    type ?? "",
  )
    ? [effect("delete-tree", command, `removes the ${type} ${name}`, { target: name ?? "" })]
    : [];
}

/** Changes to names and commands for machines that stand in a JSON text. */
function awsTexts(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "change-batch request-items parameters profile region");
  const [first, second] = reading.operands.map(({ text }) => text);
  const batch = valuesOf(reading, "change-batch").some(({ text }) => /"Action"\s*:\s*"DELETE"/.test(text));
  if (first === "route53" && batch) return [effect("destroy-infrastructure", command, "deletes names from the zone")];
  // Several services take a statement.
  const asked = valuesOf(readLoosely(command.argv.slice(1), "sql query-string"), "sql query-string");
  if (asked.length > 0) return asked.flatMap((text) => sqlEffects(textWithHoles(text) ?? "", {}, command, scene));
  const items = valuesOf(reading, "request-items").some(({ text }) => /"DeleteRequest"\s*:/.test(text));
  if (first === "dynamodb" && items) return [effect("destroy-database", command, "deletes items of a table")];
  if (first === "ecs" && second === "execute-command")
    return valuesOf(readLoosely(command.argv.slice(1), "command cluster task container"), "command").flatMap((text) =>
      scene.nested(textWithHoles(text) ?? "", { ...command, remote: true }),
    );
  if (first !== "ssm" || !/^(?:send-command|start-session)$/.test(second ?? "")) return [];
  return valuesOf(reading, "parameters")
    .flatMap(({ text }) => commandsIn(text))
    .flatMap((text) => scene.nested(text, { ...command, remote: true }));
}

/** `commands=["a","b"]`, `{"commands":["a"]}`, `commands=a`: the lines that an agent on the machine runs, as one text. */
function commandsIn(text: string): readonly string[] {
  const [, given] = /\bcommands?"?\s*[=:]\s*(.*)$/s.exec(text) ?? [];
  if (given === undefined) return [];
  const quoted = [...given.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, line = ""]) => line.replace(/\\(["\\])/g, "$1"));
  const plain = given.replace(/^\[|\]$/g, "").replace(/^'|'$/g, "");
  return [quoted.length > 0 && /^[["]/.test(given) ? quoted.join("\n") : plain];
}

/** `az vm run-command invoke --scripts "a" "b"`: every word up to the next option is a line. */
function azTexts(command: Command, scene: Scene): readonly Effect[] {
  const words = command.argv.slice(1);
  const at = words.findIndex(({ text }) => text === "--scripts" || text === "--script");
  if (at < 0 || !command.args.includes("run-command")) return [];
  const rest = words.slice(at + 1);
  const end = rest.findIndex(({ text }) => /^-{1,2}[a-z]/.test(text));
  const lines = (end < 0 ? rest : rest.slice(0, end)).map((word) => textWithHoles(word) ?? "");
  return scene.nested(lines.filter((line) => !line.startsWith("@")).join("\n"), { ...command, remote: true });
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
    ["secrets unset", "deletes the secrets {}"],
  ],
  { values: "a app c config" },
);
const WRANGLER = platform(
  [
    ["delete", "deletes the worker {}"],
    ["d1|queues|hyperdrive|vectorize|workflows|pipelines|secret delete", "deletes {}"],
    ["queues purge", "empties the queue {}"],
    ["* time-travel restore", "replaces {} with an older state", { kind: "destroy-database" }],
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
  az: both(azTexts, hands("aks command invoke", "c command"), hands("container exec", "exec-command")),
  gcloud: both(hands("compute ssh", "command"), sends("spanner", "sql")),
  cloudflared: platform([["tunnel delete", "deletes the tunnel {}"]]),
  vagrant: hands("ssh", "c command"),
  ...named(
    "vercel now",
    platform(
      [
        ["rm|remove", "removes {}"],
        ["project|domains|dns|blob|env|certs rm|remove|del", "removes {}"],
      ],
      { values: "t token S scope" },
    ),
  ),
  ...named(
    "netlify ntl",
    platform([
      ["sites:delete", "deletes the site {}"],
      ["blobs:delete", "deletes {}"],
      ["api delete*", "deletes what it names"],
    ]),
  ),
  firebase: platform(
    [
      ["firestore:delete|database:remove", "deletes {}", { kind: "destroy-database" }],
      ["*:delete|hosting:disable|database:remove|remoteconfig:rollback", "removes {} from the service"],
    ],
    { values: "P project token" },
  ),
  railway: platform([
    ["down|delete", "removes what was deployed"],
    ["volume|environment|service delete|rm", "deletes {}"],
  ]),
  surge: platform([["teardown", "removes {} from the service"]]),
  algolia: platform([["** delete|clear", "deletes {}"]], { values: "p profile application-id api-key" }),
  // Without the option it works on a sandbox.
  stripe: platform(
    [
      ["delete", "deletes {}", { needs: "live" }],
      ["* delete", "deletes {}", { needs: "live" }],
    ],
    { values: "api-key p project-name" },
  ),
  appwrite: platform([["* delete|delete-*", "deletes {}"]]),
  "sentry-cli": platform([["releases|projects|monitors|sourcemaps|files delete", "deletes {}"]], {
    values: "o org p project url auth-token",
  }),
  temporal: platform([
    ["workflow|schedule|batch delete|terminate", "deletes {}"],
    ["operator namespace delete", "deletes the namespace {}"],
  ]),
  dokku: platform([
    ["apps:destroy|postgres:destroy|mysql:destroy|redis:destroy|mongo:destroy|storage:destroy", "destroys {}"],
  ]),
  cf: platform([["delete|delete-org|delete-space|delete-service|delete-orphaned-routes", "deletes {}"]]),
  ansible,
  ...named("salt salt-call", salt),
  "salt-key": platform([["**", "deletes keys of machines", { needs: "D delete-all d delete" }]]),
  puppet,
  knife: both(
    platform([
      ["* delete|destroy", "deletes {}"],
      ["* bulk delete", "deletes {}"],
      ["* server delete", "deletes {}"],
    ]),
    after(/^ssh$/, 1),
  ),
  bolt: after(/^run$/, 0),
  dsh: both(after(/^/, 0)),
  fab: (command, scene) =>
    scene.nested(quotedWords(readLoosely(command.argv.slice(1), "H hosts u user i").rest), {
      ...command,
      remote: true,
    }),
  ...named(
    "tilt",
    platform([["down", "stops and deletes everything that it started", { needs: "delete-namespaces" }]]),
  ),
  ...named(
    "okteto garden devspace",
    platform([
      ["destroy|purge", "destroys the environment {}"],
      ["down", "removes the environment with its volumes", { needs: "v volumes" }],
      ["delete environment|env|namespace|deploy", "deletes {}"],
      ["namespace delete", "deletes {}"],
    ]),
  ),
  ...named(
    "scalingo gigalixir terminus platform upsun magento-cloud clever acli render pantheon",
    platform([
      ["*:delete|*:destroy|*-destroy|*-delete|*:wipe", "deletes {}"],
      ["delete", "deletes the app {}"],
      ["* delete|destroy", "deletes {}"],
    ]),
  ),
};
