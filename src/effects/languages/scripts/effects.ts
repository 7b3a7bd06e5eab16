import { posix } from "node:path";
import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, effectsOfEach, pathsOf, type Scene } from "../../effect.ts";
import { sqlEffects } from "../sql/effects.ts";
import { ADDRESS, bareNames } from "./actions.ts";
import { passedCallback, rubyCallbacks } from "./callbacks.ts";
import { emptiedModel, removedByClient } from "./clients.ts";
import { startedBy } from "./commands.ts";
import { fetchesAndRuns, forksForever, handsOutShell, isBrought, pipedByAwk, writtenByAwk } from "./dangers.ts";
import { downloadedFiles, importedAddress, isNetwork } from "./downloads.ts";
import { readOf } from "./edits.ts";
import { mayHarm, unreadScript } from "./long-scripts.ts";
import { asName, asWord, folderOption, isDevice, isOn, madeOf, sentSecret, shownText, unlabelled } from "./parts.ts";
import { HOLE } from "./texts.ts";
import type { Language, ScriptToken } from "./tokens.ts";
import { type Call, type Node, readScript, type Script } from "./tree.ts";
import { actionOf, Values } from "./values.ts";
import { openedCommand, type Written, writtenBy } from "./writes.ts";

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
/** A shell that is told by its input what to do. */
const READS_INPUT = /^\s*'?(?:\/\S*\/)?(?:ba|z|da|k)?sh'?(?:\s+'?-[a-z]*'?)?\s*$/;
/** Of the texts that such a shell may be told. */
const MOST_LINES = 30;
const FETCHED = "runs what it fetches from the network";

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
  readonly #downloaded: readonly string[];

  constructor(script: Script, place: Place, depth: number) {
    this.#script = script;
    this.#place = place;
    this.#depth = depth;
    this.#values = new Values(script, place.scene.userHome, place.args);
    this.#downloaded = downloadedFiles(script, this.#values);
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
    const { nodes } = this.#script;
    if (handsOutShell(this.#script, this.#values))
      return [this.#effect("remote-code", "opens a shell on this machine for another machine")];
    if (fetchesAndRuns(this.#script, this.#values)) return [this.#effect("remote-code", FETCHED)];
    const imported = importedAddress(this.#script);
    if (imported !== undefined)
      return [this.#effect("remote-code", `runs code from ${imported}`, { target: imported })];
    return [
      ...effectsOfEach(nodes, (node) =>
        node.t === "shell" ? this.#shell(this.#values.text({ ...node, t: "string" })) : NOTHING,
      ),
      ...effectsOfEach(nodes, (node) => (node.t === "call" ? this.#call(node) : NOTHING)),
      ...effectsOfEach(nodes, (node) => (node.t === "member" ? this.#method(node) : NOTHING)),
      ...pipedByAwk(this.#script, this.#values).flatMap((text) => this.#shell(text)),
      ...writtenByAwk(this.#script).flatMap((one) => this.#written(one)),
      ...rubyCallbacks(this.#script).flatMap((kind) => this.#deleted([{ t: "other" }], kind === "tree")),
      ...(forksForever(this.#script, this.#values) ? [this.#effect("fork-bomb", "starts processes without end")] : []),
    ];
  }

  #effect(kind: Effect["kind"], why: string, extra: Partial<Effect> = {}): Effect {
    return effect(kind, this.#place.command, why, extra);
  }

  #call(node: Call): readonly Effect[] {
    const { args } = node;
    const action = actionOf(node, this.#script, this.#values);
    switch (action) {
      case "tree":
      case "file":
        return this.#deleted(this.#operands(node), action === "tree");
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
      case "open":
        return this.#open(node);
      case "write":
      case "replace":
      case "download":
      case "open-flags":
      case "truncate":
      case "truncate-handle":
        return this.#written(writtenBy(node, this.#script, this.#values), node);
      case "load":
        return this.#load(this.#values.text(args[0]));
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
    const handed = passedCallback(node, this.#script, this.#values);
    if (handed) return this.#deleted(handed.targets, handed.tree);
    const secret = sentSecret(path, node.args, this.#values);
    return secret === undefined ? [] : [this.#effect("exfiltrate-secret", `uploads ${secret}`, { target: secret })];
  }

  /** Methods that Ruby calls without brackets, and the ones by which object mappers empty a table. */
  #method(node: Extract<Node, { t: "member" }>): readonly Effect[] {
    const { language } = this.#script;
    if (node.name === "rmtree" && language === "ruby") return this.#deleted([node.of], true);
    // path("src")->remove_tree
    if (node.name === "remove_tree" && language === "perl" && node.of.t === "call")
      return this.#deleted(node.of.args, true);
    const path = emptiedModel(node, language, this.#values);
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
    if (text === undefined) return [];
    const nested = (line: string) => this.#place.scene.nested(line, this.#place.command);
    const isLine = ({ type, text: line }: ScriptToken) => type === "string" && /\s/.test(line);
    const told = READS_INPUT.test(text) ? this.#script.tokens.filter(isLine).slice(0, MOST_LINES) : [];
    const own = [
      ...nested(text),
      ...told.flatMap((one) => nested(this.#values.text({ t: "string", text: one.text }) ?? "")),
    ];
    if (this.#downloaded.length === 0) return own;
    // As if the shell had brought the files itself.
    const brought = this.#downloaded.map((file) => `curl -o '${file.replaceAll("'", "'\\''")}' https://x; `);
    return [...own, ...nested(brought.join("") + text).filter(({ kind }) => kind === "remote-code")];
  }

  /** A file of the same language that is run: from an address, or downloaded before. */
  #load(text: string | undefined): readonly Effect[] {
    if (text === undefined) return [];
    const same = (file: string) => posix.resolve("/", file) === posix.resolve("/", text);
    return ADDRESS.test(text) || this.#downloaded.some(same) ? [this.#effect("remote-code", FETCHED)] : [];
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

  #run(node: Call): readonly Effect[] {
    const started = startedBy(node, this.#values);
    if (started === undefined) return [];
    return "t" in started ? this.#shell(this.#values.text(started)) : this.#words(started);
  }

  #code(node: Call): readonly Effect[] {
    // The last word for a function is its body.
    const isFunction = this.#values.path(node.callee) === "Function";
    const text = this.#values.text(isFunction ? node.args.at(-1) : node.args[0]);
    const read = () => scriptEffects(text ?? "", this.#script.language, this.#place, this.#depth + 1);
    if (text !== undefined && text !== HOLE) return this.#fetched(node) ?? read();
    const fetches = this.#script.nodes.some((one) => isNetwork(one, this.#values, /^(?:open|get)$/));
    return this.#fetched(node) ?? (fetches ? [this.#effect("remote-code", FETCHED)] : []);
  }

  /** Whether what is run comes straight from an address. */
  #fetched({ args }: Call): readonly Effect[] | undefined {
    const isFetched = (arg: Node) => madeOf(arg, this.#values).some((node) => isNetwork(node, this.#values));
    return isBrought(args[0], this.#script.language, this.#values) || args.some(isFetched)
      ? [this.#effect("remote-code", FETCHED)]
      : undefined;
  }

  #open(node: Call): readonly Effect[] {
    const started = openedCommand(node, this.#script, this.#values);
    if (started === undefined) return this.#written(writtenBy(node, this.#script, this.#values), node);
    if (typeof started === "string") return this.#shell(started);
    return started.length > 1 ? this.#words(started) : this.#shell(this.#values.text(started[0]));
  }

  #written(file: Written | undefined, by?: Call): readonly Effect[] {
    if (!file) return [];
    return file.empties ? this.#emptied(file.target) : this.#overwritten(file.target, by);
  }

  #overwritten(target: Node | undefined, by?: Call): readonly Effect[] {
    const text = this.#values.text(target);
    if (text === undefined || text.includes(HOLE)) return [];
    const read = by && readOf(text, by, this.#script, this.#values);
    if (read === "before") return [];
    if (isDevice(text)) return [this.#effect("format-device", `writes to the device ${text}`, { target: text })];
    return this.#at(text).map((at) =>
      this.#effect("overwrite", read ? `empties ${text} before reading it` : `replaces the content of ${text}`, {
        ...at,
        ...(read !== "for itself" && { ifExists: true }),
      }),
    );
  }

  #emptied(target: Node | undefined): readonly Effect[] {
    const text = this.#values.text(target);
    if (text === undefined || /^\/dev\/(?:null|std|tty)/.test(text)) return [];
    return this.#at(text).map((at) => this.#effect("truncate", `empties ${shownText(text)}`, at));
  }
}
