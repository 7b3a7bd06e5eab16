import type { Command } from "../../shell/command.ts";
import { type Effect, effect, type Family, type Scene } from "../effect.ts";
import { unreadScript } from "../languages/scripts/long.ts";
import { isCut, sqlTokens } from "../languages/sql/tokens.ts";
import { inputText, textWithHoles } from "../line/line-text.ts";
import { named, type Rule, readLoosely, type Tool, toolFamily, valuesOf } from "../tool.ts";

const destroys = (rules: readonly Rule[], more: Partial<Tool> = {}): Family =>
  toolFamily({ kind: "destroy-database", rules, ...more });

/** `MATCH (n) DETACH DELETE n`: a pattern without a condition is every node. */
function cypher(command: Command, scene: Scene): readonly Effect[] {
  const { operands } = readLoosely(command.argv.slice(1), "a address u username p password d database f file");
  const texts = operands.length > 0 ? operands.map(textWithHoles) : [inputText(command, scene)];
  return texts.flatMap((text) => {
    const tokens = sqlTokens(text ?? "", { backslash: true });
    if (isCut(tokens)) return /\bdelete\b/i.test(text ?? "") ? [unreadScript(command)] : [];
    const words = tokens.map((token) => (token.type === "word" ? token.text.toUpperCase() : token.text));
    const all =
      words[0] === "MATCH" &&
      words.includes("DELETE") &&
      !words.includes("WHERE") &&
      !words.includes("LIMIT") &&
      !words.includes("{");
    return all ? [effect("destroy-database", command, "deletes every node that it matches")] : [];
  });
}

/** lftp runs its own commands on the other side. */
function lftp(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "e c u p f");
  const given = valuesOf(reading, "e c").map(textWithHoles);
  const texts = given.length > 0 ? given : [inputText(command, scene)];
  const lines = texts.flatMap((text) => (text ?? "").split(/[;\n]|&&/).map((line) => line.trim().split(/\s+/)));
  return lines.flatMap((words) => {
    const [verb, ...rest] = words;
    const removes = verb === "mrm" || verb === "glob" || (verb === "rm" && rest.some((word) => /^-\w*r/.test(word)));
    const mirrors = verb === "mirror" && rest.includes("--delete") && !rest.includes("--dry-run");
    if (!removes && !mirrors) return [];
    const target = rest.at(-1) ?? "";
    return [effect("delete-tree", command, `deletes ${target} on the server`, { target, certainty: "possible" })];
  });
}

/** Queues, trees and directories that keep data of their own. */
export const STORES: Readonly<Record<string, Family>> = {
  "cypher-shell": cypher,
  ...named(
    "zkCli.sh zkcli",
    destroys([["deleteall|rmr", "deletes {} with everything under it"]], { values: "server" }),
  ),
  ldapdelete: destroys([["*", "deletes entries of the directory"]], { values: "H D w h p y Y b", dry: "n" }),
  rabbitmqadmin: destroys([["delete|purge queue|exchange|vhost|user", "removes {}"]], { values: "u p H P V" }),
  nats: destroys([["stream|kv|object|consumer rm|del|delete|purge", "removes {}"]], { values: "s server creds" }),
  "pulsar-admin": destroys([["topics|namespaces|tenants delete", "deletes {}"]]),
  nodetool: destroys([["removenode|decommission|clearsnapshot", "removes data from the ring"]], {
    values: "h host p port",
  }),
  lftp,
  etcdctl: destroys(
    [
      ["del", "deletes every key that begins with {}", { needs: "prefix from-key" }],
      ["rm", "deletes the keys under {}", { needs: "recursive" }],
      ["member remove", "removes {} from the cluster"],
    ],
    { values: "endpoints cacert cert key user" },
  ),
};
