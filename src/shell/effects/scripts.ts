import { posix } from "node:path";
import type { Command } from "../command.ts";
import { type Effect, effect, effectsOfEach, pathsOf, type Scene } from "./effect.ts";
import { mayHarm, unreadScript } from "./long-scripts.ts";
import { ACTIONS, type Action, bareNames, NETWORK } from "./script-actions.ts";
import { emptiedModel, removedByClient } from "./script-clients.ts";
import { fetchesAndRuns, forksForever, handsOutShell, isBrought, pipedByAwk, writtenByAwk } from "./script-dangers.ts";
import { isEdited, placeTaken } from "./script-edits.ts";
import {
  asName,
  asWord,
  folderOption,
  isDevice,
  isOn,
  madeOf,
  sentSecret,
  shownText,
  unlabelled,
} from "./script-parts.ts";
import type { Language } from "./script-tokens.ts";
import { type Call, type Node, readScript, type Script } from "./script-tree.ts";
import { HOLE, Values } from "./script-values.ts";
import { sqlEffects } from "./sql-effects.ts";

/** Where a script stands. */
interface Place {
  readonly command: Command;
  readonly scene: Scene;
  /** The words after it, which it can read. */
  readonly args: readonly string[];
}

const CHDIR = /^(?:os\.chdir|process\.chdir|Dir\.chdir|FileUtils\.cd|chdir|Deno\.chdir)$/;
const MAX_DEPTH = 4;
const NOTHING: readonly Effect[] = [];
const WRITES = /^(?:write\w*|dump|print|puts|save\w*|copyfileobj|fwrite|fputs|extractall|to_csv|to_json)$/i;

/** What a script of another language does to files, and what it hands to a shell. */
export function scriptEffects(text: string, language: Language, place: Place, depth = 0): readonly Effect[] {
  if (depth > MAX_DEPTH) return [];
  const script = readScript(text, language, bareNames(language));
  if (script.isCut) return mayHarm(text, language) ? [unreadScript(place.command)] : [];
  const reading = new Reading(script, place, depth);
  return reading.effects();
}

class Reading {
  readonly #script: Script;
  #place: Place;
  readonly #depth: number;
  readonly #values: Values;

  constructor(script: Script, place: Place, depth: number) {
    this.#script = script;
    this.#place = place;
    this.#depth = depth;
    this.#values = new Values(script, place.scene.userHome, place.args);
    const entered = script.nodes.flatMap((node) =>
      node.t === "call" && CHDIR.test(this.#values.path(node.callee)) ? [node.args[0]] : [],
    );
    if (entered.length > 0) this.#place = this.#inFolder(entered.at(-1));
  }

  /** The same place with another current folder, which nobody knows when its name is not known. */
  #inFolder(node: Node | undefined): Place {
    const text = this.#values.text(node);
    const { command, scene } = this.#place;
    const known = text !== undefined && !text.includes(HOLE) && (text.startsWith("/") || command.cwd !== undefined);
    const cwd = known ? posix.resolve(scene.cwd, command.cwd ?? "", text) : undefined;
    return { ...this.#place, command: { ...command, cwd, cwds: cwd === undefined ? undefined : [cwd] } };
  }

  effects(): readonly Effect[] {
    const { nodes, language } = this.#script;
    const handed = handsOutShell(this.#script, this.#values);
    if (handed) return [this.#effect("remote-code", "gives a shell away over the network")];
    if (fetchesAndRuns(this.#script, this.#values))
      return [this.#effect("remote-code", "runs what it fetches from the network")];
    return [
      ...effectsOfEach(nodes, (node) =>
        node.t === "shell" ? this.#shell(this.#values.text({ ...node, t: "string" })) : NOTHING,
      ),
      ...effectsOfEach(nodes, (node) => (node.t === "call" ? this.#call(node) : NOTHING)),
      ...effectsOfEach(nodes, (node) => (node.t === "member" ? this.#method(node) : NOTHING)),
      ...(language === "awk" ? pipedByAwk(this.#script).flatMap((text) => this.#shell(text)) : []),
      ...(language === "awk" ? writtenByAwk(this.#script).flatMap((one) => this.#written(one.file, one.empty)) : []),
      ...(forksForever(this.#script, this.#values) ? [this.#effect("fork-bomb", "starts processes without end")] : []),
    ];
  }

  #effect(kind: Effect["kind"], why: string, extra: Partial<Effect> = {}): Effect {
    return effect(kind, this.#place.command, why, extra);
  }

  #action(node: Call): Action | undefined {
    const path = this.#values.path(node.callee);
    const table = ACTIONS[this.#script.language];
    const found = table.get(path);
    if (found || node.callee.t !== "member") return found;
    return table.get(`*.${node.callee.name}`);
  }

  #call(node: Call): readonly Effect[] {
    const { args } = node;
    switch (this.#action(node)) {
      case "tree":
      case "file":
        return this.#deleted(this.#operands(node), this.#action(node) === "tree");
      case "file-or-tree":
        return this.#deleted(args.slice(0, 1), isOn(args[1], "recursive"));
      case "tree-if-recursive":
        return isOn(args[1], "recursive") ? this.#deleted(args.slice(0, 1), true) : [];
      case "own-file":
        return node.callee.t === "member" ? this.#deleted([node.callee.of], false) : [];
      case "sql":
        return args[0]?.t === "object" ? [] : this.#sql(this.#values.text(args[0]));
      case "each":
        return args[0] && args[1] ? this.#call({ t: "call", callee: asName(args[0]), args: [args[1]] }) : [];
      case "shell":
        return this.#fetched(node) ?? this.#startedIn(node, () => this.#shell(this.#values.text(args[0])));
      case "run":
        return this.#fetched(node) ?? this.#startedIn(node, () => this.#run(node));
      case "execv":
        return this.#words(args[1]?.t === "list" ? args[1].items : []);
      case "execl":
        return this.#words(args.slice(1));
      case "code":
        return this.#code(node);
      case "write":
        return this.#write(node);
      case "replace":
        return this.#overwritten(placeTaken(node, this.#script, this.#values));
      case "open":
        return this.#open(node);
      case "truncate":
        return this.#emptied(args[0]);
      case "kill":
        return args.some((arg) => this.#values.text(arg) === "-1")
          ? [this.#effect("kill-everything", "ends every process it may")]
          : [];
      default:
        return this.#sent(node);
    }
  }

  /** A secret that is read and posted in one call; or, with Python's sh, a program called like a function. */
  #sent(node: Call): readonly Effect[] {
    const path = this.#values.path(node.callee);
    const [, program] = this.#script.language === "python" ? (/^sh\.(\w+)$/.exec(path) ?? []) : [];
    if (program !== undefined) return this.#words([{ t: "string", text: program }, ...node.args]);
    const removed = removedByClient(node, this.#script.language, this.#values);
    if (removed) return [this.#effect(removed.kind, removed.why, { target: path.slice(path.lastIndexOf(".") + 1) })];
    const secret = sentSecret(path, node.args, this.#values);
    return secret === undefined ? [] : [this.#effect("exfiltrate-secret", `sends ${secret} away`, { target: secret })];
  }

  /** Methods that Ruby calls without brackets, and the ones by which object mappers empty a table. */
  #method(node: Extract<Node, { t: "member" }>): readonly Effect[] {
    if (node.name === "rmtree" && this.#script.language === "ruby") return this.#deleted([node.of], true);
    const path = emptiedModel(node, this.#script.language, this.#values);
    return path === undefined ? [] : [this.#effect("destroy-database", `deletes every row: ${path}`, { target: path })];
  }

  /** Perl, Ruby and PHP take many names at once; elsewhere only the first argument is one. */
  #operands({ args }: Call): readonly Node[] {
    const many = this.#script.language === "perl" || this.#script.language === "ruby";
    const paths = args
      .map((arg) => unlabelled(arg, "path"))
      .filter((arg) => arg.t !== "object" && !(arg.t === "op" && /^(?:=|:|=>)$/.test(arg.op)));
    return many ? paths : paths.slice(0, 1);
  }

  #deleted(nodes: readonly Node[], tree: boolean): readonly Effect[] {
    const texts = nodes.flatMap((node) => this.#values.texts(node));
    return texts.flatMap((text) => {
      const shown = shownText(text);
      const why = tree ? `deletes ${shown} and everything in it` : `deletes ${shown}`;
      return this.#at(text).map((at) => this.#effect(tree ? "delete-tree" : "delete-file", why, at));
    });
  }

  #at(text: string): ReturnType<typeof pathsOf> {
    return pathsOf(asWord(text), this.#place.command, this.#place.scene);
  }

  #shell(text: string | undefined): readonly Effect[] {
    return text === undefined ? [] : this.#place.scene.nested(text, this.#place.command);
  }

  /** `cwd="…"` is where the program runs. */
  #startedIn(node: Call, read: () => readonly Effect[]): readonly Effect[] {
    const folder = node.args.map(folderOption).find((one) => one !== undefined);
    if (!folder) return read();
    const outer = this.#place;
    this.#place = this.#inFolder(folder);
    const found = read();
    this.#place = outer;
    return found;
  }

  #sql(text: string | undefined): readonly Effect[] {
    const inMemory = this.#script.tokens.some(({ type, text: name }) => type === "string" && name === ":memory:");
    return text === undefined || inMemory ? [] : sqlEffects(text, {}, this.#place.command, this.#place.scene);
  }

  #words(nodes: readonly Node[]): readonly Effect[] {
    const texts = nodes.map((node) => this.#values.text(node) ?? HOLE);
    return texts.length === 0 ? [] : this.#shell(texts.map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(" "));
  }

  #run({ args }: Call): readonly Effect[] {
    const [first, second] = args.map((arg) => this.#unnamed(unlabelled(arg, "args")));
    if (!first) return [];
    if (first.t === "list" && first.items.length > 1) return this.#words(first.items);
    if (second?.t === "list") return this.#words([first, ...second.items]);
    if (second?.t === "object") {
      const given = second.items.find((item) => item.t === "op" && item.left.t === "name" && item.left.text === "args");
      if (given?.t === "op" && given.right.t === "list") return this.#words([first, ...given.right.items]);
    }
    const plain = args.filter((arg) => arg.t === "string" || arg.t === "name");
    if (plain.length > 1 && plain.length === args.length) return this.#words(args);
    // A program alone, with nothing to do, is no command line worth reading.
    return this.#shell(this.#values.text(first));
  }

  /** A list that was given a name first. */
  #unnamed(node: Node): Node {
    if (node.t === "call" && /(?:^|\.)split$/.test(this.#values.path(node.callee))) {
      const source =
        node.callee.t === "member" && this.#values.text(node.callee.of) !== undefined ? node.callee.of : node.args[0];
      return source ?? node;
    }
    return node.t === "name" ? (this.#values.lastGiven(node.text) ?? node) : node;
  }

  #code(node: Call): readonly Effect[] {
    // The last word for a function is its body.
    const isFunction = this.#values.path(node.callee) === "Function";
    const text = this.#values.text(isFunction ? node.args.at(-1) : node.args[0]);
    if (text !== undefined && text !== HOLE)
      return scriptEffects(text, this.#script.language, this.#place, this.#depth + 1);
    const fetches = this.#script.nodes.some((one) => this.#isNetwork(one, /^(?:open|get)$/));
    return (
      this.#fetched(node) ??
      (fetches ? [this.#effect("remote-code", "runs code that it fetches from the network")] : [])
    );
  }

  /** Whether what is run comes straight from an address. */
  #fetched({ args }: Call): readonly Effect[] | undefined {
    const isNetwork = (arg: Node) => madeOf(arg, this.#values).some((node) => this.#isNetwork(node, /^$/));
    return isBrought(args[0], this.#script.language, this.#values) || args.some(isNetwork)
      ? [this.#effect("remote-code", "runs what it fetches from the network")]
      : undefined;
  }

  #isNetwork(node: Node, unless: RegExp): boolean {
    if (node.t !== "call") return false;
    const path = this.#values.path(node.callee);
    if (!NETWORK.test(path) || unless.test(path)) return false;
    if (!/^(?:open|get|file_get_contents)$/.test(path)) return true;
    return /^(?:https?|ftp):/.test(this.#values.text(node.args[0]) ?? "");
  }

  #write(node: Call): readonly Effect[] {
    const own = node.callee.t === "member" && this.#script.language === "python";
    const target = own && node.callee.t === "member" ? node.callee.of : node.args[0];
    const content = node.args[own ? 0 : 1];
    return content?.t === "string" && content.text === "" ? this.#emptied(target) : this.#overwritten(target);
  }

  #open({ args }: Call): readonly Effect[] {
    const perl = this.#script.language === "perl";
    const mode = this.#values.text(args[1] && unlabelled(args[1], "mode"));
    const joined = perl && args.length === 2 ? /^\s*>(?!>)\s*(.*)$/.exec(mode ?? "")?.[1] : undefined;
    const target: Node | undefined = joined !== undefined ? { t: "string", text: joined } : args[perl ? 2 : 0];
    const writes = perl ? joined !== undefined || mode === ">" : /^w/.test(mode ?? "");
    if (!writes) return [];
    const filled = this.#script.tokens.some((token) => token.type === "name" && WRITES.test(token.text));
    return filled ? this.#overwritten(target) : this.#emptied(target);
  }

  #written = (text: string, empty: boolean): readonly Effect[] =>
    empty ? this.#emptied({ t: "string", text }) : this.#overwritten({ t: "string", text });

  #overwritten(target: Node | undefined): readonly Effect[] {
    const text = this.#values.text(target);
    if (text === undefined || text.includes(HOLE) || isEdited(text, this.#script, this.#values)) return [];
    if (isDevice(text)) return [this.#effect("format-device", `writes to the device ${text}`, { target: text })];
    return this.#at(text).map((at) =>
      this.#effect("overwrite", `puts other content in ${text}`, { ...at, ifExists: true }),
    );
  }

  #emptied(target: Node | undefined): readonly Effect[] {
    const text = this.#values.text(target);
    if (text === undefined || /^\/dev\/(?:null|std|tty)/.test(text)) return [];
    return this.#at(text).map((at) => this.#effect("truncate", `empties ${shownText(text)}`, at));
  }
}
