import type { Command } from "../../../shell/command.ts";
import { readOptions } from "../../../shell/options.ts";
import { type Effect, effect, type Scene } from "../../effect.ts";
import { fileText, inputText, onDisk, textWithPlaceholders } from "../../line/line-text.ts";
import { valuesOf } from "../../loose-options.ts";
import { TOO_LONG } from "../scripts/long-scripts.ts";
import { type Node, readScript } from "../scripts/tree.ts";
import { fromDisk, INSTEAD } from "./effects.ts";

const REMOVES = /drop|delete|remove|update|load|eval|require|\[/i;

/** The MongoDB shell: a script in the words, in files or on its input. */
export function MONGO(command: Command, scene: Scene): readonly Effect[] {
  const options = readOptions(
    command.argv.slice(1),
    { short: "u:p:", long: "eval: file: host: port: username: password: authenticationDatabase: quiet norc" },
    true,
  );
  const files = [...valuesOf(options, "file"), ...options.operands.filter(({ text }) => text.endsWith(".js"))];
  const given = valuesOf(options, "eval").map(textWithPlaceholders);
  const texts = [
    ...given,
    ...files.map((file) => fileText(file, command, scene)),
    ...(given.length === 0 ? [inputText(command, scene)] : []),
  ];
  const paths = onDisk(given.length + files.length === 0 ? undefined : files, command, scene);
  return [
    ...texts.flatMap((text) =>
      mongoLosses(text ?? "").map(({ target, why }) =>
        effect("destroy-database", command, why, { target, instead: INSTEAD }),
      ),
    ),
    ...paths.flatMap((path) => fromDisk(path, command, (text) => mongoLosses(text).length > 0)),
  ];
}

/** What a script for the MongoDB shell removes. */
function mongoLosses(text: string): readonly { readonly target: string; readonly why: string }[] {
  const { nodes, isCut } = readScript(text, "js");
  if (isCut) return REMOVES.test(text) ? [{ target: "", why: TOO_LONG }] : [];
  return nodes.flatMap((node) => {
    if (node.t !== "call" || node.callee.t !== "member") return [];
    const { of, name } = node.callee;
    const target = nameOf(of);
    const [filter] = node.args;
    const all = !filter || (filter.t === "object" && filter.items.length === 0);
    if (name === "dropDatabase") return [{ target, why: "drops the database" }];
    if (name === "dropUser" || name === "dropAllUsers" || name === "dropAllRoles")
      return [{ target: "", why: "drops users" }];
    if (name === "drop" && of.t !== "name") return [{ target, why: `drops the collection ${target}` }];
    if (/^(?:deleteMany|remove)$/.test(name) && all) return [{ target, why: `deletes every document of ${target}` }];
    if (/^(?:updateMany)$/.test(name) && all) return [{ target, why: `changes every document of ${target}` }];
    return [];
  });
}

function nameOf(node: Node): string {
  if (node.t === "name") return node.text;
  if (node.t === "member")
    return node.of.t === "name" && node.of.text === "db" ? node.name : `${nameOf(node.of)}.${node.name}`;
  const [first] = node.t === "call" ? node.args : node.t === "index" ? node.index : [];
  return first?.t === "string" ? first.text : "";
}
