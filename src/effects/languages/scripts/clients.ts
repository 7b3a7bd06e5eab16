import type { EffectKind } from "../../effect.ts";
import { deletedByRequest } from "./requests.ts";
import type { Language } from "./tokens.ts";
import type { Call, Node } from "./tree.ts";
import type { Values } from "./values.ts";

interface Removal {
  readonly kind: EffectKind;
  readonly why: string;
}

/** A call of a client library, by its whole path after imports are undone. */
type Rule = readonly [path: RegExp, kind: EffectKind, why: string];

const AWS = String.raw`^(?:boto3|aioboto3)\.(?:session\.)?(?:Session\(\)\.)?(?:client|resource)\(\)`;
const RULES: Readonly<Partial<Record<Language, readonly Rule[]>>> = {
  python: [
    [
      new RegExp(
        String.raw`${AWS}.*\.(?:delete_(?!item$|message|tags$|\w*tagging$)\w+|terminate_\w+|purge_queue|deregister_image|release_address|schedule_key_deletion|batch_delete_\w+)$`,
      ),
      "destroy-infrastructure",
      "deletes in the cloud",
    ],
    [
      new RegExp(
        String.raw`${AWS}\.(?:Bucket|Table|Instance|Volume|Snapshot|Object|ObjectVersion|Queue|Topic|Stack|Image|instances|volumes|buckets)\b.*\.(?:delete|terminate|purge|deregister)$`,
      ),
      "destroy-infrastructure",
      "deletes in the cloud",
    ],
    [
      /(?:^|\.)storage\.Client\(\)\.(?:get_)?bucket\(\)(?:\.(?:get_)?blob\(\))?\.(?:delete|delete_blobs?)$/,
      "destroy-infrastructure",
      "deletes in the cloud",
    ],
    [/(?:^|\.)(?:Strict)?Redis(?:\(\)|\.from_url\(\))\.flush(?:all|db)$/, "destroy-database", "empties the database"],
    [/(?:^|\.)MongoClient\(\)\.drop_database$/, "destroy-database", "drops the database"],
    [/(?:^|\.)MongoClient\(\).*\.(?:drop|drop_collection)$/, "destroy-database", "drops the collection"],
    [/(?:^|\.)metadata\.drop_all$|^db\.drop_all$/i, "destroy-database", "drops every table"],
    [/(?:^|\.)Elasticsearch\(\)\.(?:indices\.delete|delete_by_query)$/, "destroy-database", "deletes an index"],
    [
      /(?:^|\.)from_env\(\)\.(?:volumes|containers)\.prune$/,
      "destroy-container-data",
      "removes volumes or containers with their data",
    ],
  ],
  js: [
    [
      /(?:^|\.)(?:Delete|Terminate|Purge)(?!Item|Message|Tags)[A-Z]\w*Command$/,
      "destroy-infrastructure",
      "deletes in the cloud",
    ],
    [/(?:^|\.)(?:connection|db|db\(\)|mongoose)\.dropDatabase$/, "destroy-database", "drops the database"],
    [/\.(?:flushall|flushdb|flushAll|flushDb)$/, "destroy-database", "empties the database"],
    [/\.schema\.drop(?:Table|Schema|TableIfExists)$/, "destroy-database", "drops a table"],
    [/(?:^|\.)sequelize\.drop$/, "destroy-database", "drops every table"],
  ],
};

/** Every rule asks for one of these, and most calls have none. */
const REMOVES = /delete|terminate|purge|deregister|release|drop|flush|prune|remove/i;
/** Methods that empty a table when no condition is given. */
const WITHOUT_CONDITION = /\.(?:deleteMany|delete_many|remove)$/;
const STORES = /^(?:prisma|db|new PrismaClient|PrismaClient\(\))\.\w+\.deleteMany$|MongoClient\(\).*\.delete_many$/;

/** What a call of a client library removes from where it is connected to. */
export function removedByClient(node: Call, language: Language, values: Values): Removal | undefined {
  const address = deletedByRequest(node, values);
  if (address !== undefined) return { kind: "destroy-infrastructure", why: `deletes what is at ${address}` };
  const rules = RULES[language];
  if (!rules || node.callee.t !== "member") {
    // new DeleteBucketCommand(…)
    if (language !== "js" || node.callee.t !== "name") return undefined;
  }
  const path = values.path(node.callee);
  if (!REMOVES.test(path)) return undefined;
  if (WITHOUT_CONDITION.test(path) && STORES.test(path) && isEverything(node.args))
    return { kind: "destroy-database", why: "deletes every row" };
  const rule = rules?.find(([pattern]) => pattern.test(path));
  if (!rule || node.args.some((arg) => isLabelled(arg, "DryRun"))) return undefined;
  return { kind: rule[1], why: `${rule[2]}: ${path.replaceAll("()", "")}` };
}

function isEverything([first, more]: readonly Node[]): boolean {
  return first === undefined || (more === undefined && first.t === "object" && first.items.length === 0);
}

function isLabelled(node: Node, name: string): boolean {
  return (
    node.t === "op" &&
    node.left.t === "name" &&
    node.left.text === name &&
    node.right.t === "name" &&
    node.right.text === "True"
  );
}

/** The last word of those below. */
const EMPTYING = /^(?:delete_all|destroy_all|delete|truncate|flushall|flushdb)$/;
/** A whole model, without a condition before the last word. */
const EMPTIES_TABLE: Readonly<Partial<Record<Language, RegExp>>> = {
  ruby: /^[A-Z]\w*(?:\.all(?:\(\))?)?\.(?:delete_all|destroy_all)$|^Redis\.new(?:\(\))?\.flush(?:all|db)$/,
  python: /^(?:\w+\.)+objects\.all\(\)\.delete$/,
  php: /^(?:(?:App\.Models\.)?[A-Z]\w*|DB\.table\(\))\.truncate$/,
};

/** The methods by which object mappers empty a table, which Ruby calls without brackets. */
export function emptiedModel(
  node: Extract<Node, { t: "member" }>,
  language: Language,
  values: Values,
): string | undefined {
  if (!EMPTYING.test(node.name)) return undefined;
  const path = values.path(node);
  return EMPTIES_TABLE[language]?.test(path) ? path : undefined;
}
