import { ACTIONS, type Action } from "./actions.ts";
import { joinedList } from "./lists.ts";
import { jsImports, moduleName, noteLoops, pythonImports } from "./names.ts";
import { decoded, formatted, HOLE, joinedPaths, NAMED_PIECE } from "./texts.ts";
import type { Call, Node, Script } from "./tree.ts";

const MAX_STEPS = 40;
const MAX_PARTS = 2000;
/** What goes on after as much as this is known by its end alone. */
const LONGEST_PATH = 300;

/** Calls that make a file or folder under a name that nobody had before, or give such a name. */
const NEW_NAME =
  /^(?:tempfile\.(?:mkdtemp|mktemp|mkstemp)|fs\.mkdtemp(?:Sync)?|Dir\.mktmpdir|Deno\.makeTemp(?:Dir|File)(?:Sync)?|tempdir)$/;
const NEW_FILE = /^(?:tempfile\.\w+\(\)\.name|Tempfile\.(?:new|create|open)(?:\(\))?\.path)$/;
const TEMPORARY_NAME = `/tmp/${HOLE}`;

/** The names of a script: their imports, constants, and loop values. */
export class Values {
  readonly #aliases = new Map<string, string>();
  readonly #constants = new Map<string, Node | undefined>();
  readonly #last = new Map<string, Node>();
  readonly #loops = new Map<string, readonly string[]>();
  readonly #home: string;
  readonly #args: readonly string[];
  readonly #paths = new Map<Node, string>();
  readonly #inner = new Map<Node, string>();
  #steps = 0;

  constructor(script: Script, home: string, args: readonly string[]) {
    this.#home = home;
    this.#args = args;
    for (const node of script.nodes) if (node.t === "op" && node.op === "=") this.#assigned(node.left, node.right);
    for (const name of grown(script.tokens)) this.#constants.set(name, undefined);
    if (script.language === "python") pythonImports(script.tokens, this.#aliases);
    if (script.language === "js") jsImports(script.tokens, this.#aliases);
    noteLoops(script.tokens, this.#loops);
    // What was worked out before all names were known may be wrong by now.
    this.#paths.clear();
    this.#inner.clear();
  }

  #assigned(left: Node, right: Node): void {
    if (left.t === "name") {
      const again = this.#constants.has(left.text);
      this.#last.set(left.text, right);
      this.#constants.set(left.text, again ? undefined : right);
    }
    // (fd, name) = tempfile.mkstemp()
    if (left.t === "list") for (const item of left.items) this.#assigned(item, right);
    if (left.t !== "object") return;
    // const { rmSync: gone } = require("fs")
    const from = this.path(right);
    for (const item of left.items) {
      if (item.t === "name") this.#aliases.set(item.text, `${from}.${item.text}`);
      if (item.t === "op" && item.left.t === "name" && item.right.t === "name")
        this.#aliases.set(item.right.text, `${from}.${item.left.text}`);
    }
  }

  /** What a name was given last. */
  lastGiven(name: string): Node | undefined {
    return this.#last.get(name);
  }

  /** What is called, under its own name: `shutil.rmtree`, `fs.rmSync`, `pathlib.Path().unlink`. */
  path(node: Node): string {
    let path = this.#paths.get(node);
    if (path === undefined) {
      path = normal(this.#path(node, 0));
      this.#paths.set(node, path);
    }
    return path;
  }

  #path(node: Node, depth: number): string {
    if (depth > MAX_STEPS) return "";
    const inner = (one: Node) => this.#innerPath(one, depth + 1);
    switch (node.t) {
      case "name": {
        const alias = this.#aliases.get(node.text);
        const value = this.#constants.get(node.text);
        if (alias !== undefined || !value || value === node) return alias ?? node.text;
        return /^(?:call|member|name|op|list)$/.test(value.t) ? inner(value) || node.text : node.text;
      }
      case "member":
        return `${inner(node.of)}.${node.name}`;
      case "index": {
        const [index] = node.index;
        const key = index && index.t !== "name" ? this.text(index) : undefined;
        return key !== undefined ? `${inner(node.of)}.${key}` : `${inner(node.of)}[]`;
      }
      case "call":
        return this.#called(node, depth);
      case "op":
        return inner(node.left);
      case "list":
        return node.items.length === 1 && node.items[0] ? inner(node.items[0]) : "";
      default:
        return "";
    }
  }

  /** Of `a.b().c().d()` every part is asked for by itself, so what stands before it is worked out once. */
  #innerPath(node: Node, depth: number): string {
    if (node.t === "name") return this.#path(node, depth);
    let path = this.#inner.get(node);
    if (path === undefined) {
      path = this.#path(node, depth);
      if (path.length > LONGEST_PATH) path = "";
      this.#inner.set(node, path);
    }
    return path;
  }

  #called(node: Call, depth: number): string {
    const callee = this.#innerPath(node.callee, depth + 1);
    const [first, second] = node.args;
    if (/(?:^|\.)(?:require|__import__|import_module)$/.test(callee) || callee === "") {
      // After `import`, which the tree leaves out, only the bracket remains.
      const module = first?.t === "string" ? first.text : callee === "" ? undefined : this.#text(first);
      if (module !== undefined && !module.includes(HOLE)) return moduleName(module);
    }
    const name = callee === "getattr" && first ? this.#text(second) : undefined;
    if (name !== undefined && first) return `${this.#path(first, depth + 1)}.${name}`;
    return `${callee}()`;
  }

  /** All texts a node may stand for, each with holes for what is not known. */
  texts(node: Node): readonly string[] {
    const loop = node.t === "name" ? this.#loops.get(node.text) : undefined;
    if (loop) return loop;
    if (node.t === "list") return node.items.flatMap((item) => this.texts(item));
    if (node.t === "call" && /(?:^|\.)(?:glob|iglob|globSync)$/.test(this.path(node.callee)) && node.args[0])
      return this.texts(node.args[0]);
    if (node.t === "index" && this.path(node.of) === "Dir" && node.index[0]) return this.texts(node.index[0]);
    return [this.text(node) ?? HOLE];
  }

  /** The text of a constant; undefined when nothing of it is known. */
  text(node: Node | undefined): string | undefined {
    this.#steps = 0;
    return this.#text(node);
  }

  #text(node: Node | undefined): string | undefined {
    if (!node || ++this.#steps > MAX_PARTS) return undefined;
    switch (node.t) {
      case "string":
        return node.text.replace(NAMED_PIECE, (_, name: string) => this.#named(name) ?? HOLE);
      case "number":
        return node.text;
      case "name":
        return this.#named(node.text);
      case "op":
        return this.#joined(node.op, node.left, node.right);
      case "list":
        return node.items.length === 1 ? this.#text(node.items[0]) : undefined;
      case "index":
        return this.#indexed(node);
      case "member":
        return this.#member(node);
      case "call":
        return this.#result(node);
      default:
        return undefined;
    }
  }

  #named(name: string): string | undefined {
    const loop = this.#loops.get(name);
    if (loop) return loop.length === 1 ? loop[0] : HOLE;
    const value = this.#constants.get(name);
    if (value?.t === "name" && value.text === name) return undefined;
    return this.#text(value);
  }

  #joined(op: string, left: Node, right: Node): string | undefined {
    const [before, after] = [this.#text(left), this.#text(right)];
    if (op === "=" || op === ":" || op === "=>" || (before === undefined && after === undefined)) return undefined;
    if (op === "%") return before === undefined ? undefined : formatted(before, this.#filling(right, after));
    if (op === "/") return joinedPaths([before ?? HOLE, after ?? HOLE]);
    return (before ?? HOLE) + (after ?? HOLE);
  }

  /** What stands behind the percent sign: one value, or several in a bracket. */
  #filling(node: Node, text: string | undefined): readonly (string | undefined)[] {
    return node.t === "list" ? node.items.map((item) => this.#text(item)) : [text];
  }

  #indexed(node: Extract<Node, { t: "index" }>): string | undefined {
    const of = this.path(node.of);
    const [index] = node.index;
    const key = index ? (this.#text(index) ?? (index.t === "name" ? index.text : "")) : "";
    if (/^(?:os\.environ|ENV|process\.env|\$ENV|\$_SERVER|\$_ENV)$/.test(of))
      return key === "HOME" ? this.#home : undefined;
    if (/^(?:sys\.argv|process\.argv|\$argv|arg)$/.test(of)) return this.#args[Number(key) - 1];
    if (/^(?:ARGV|\$ARGV)$/.test(of)) return this.#args[Number(key)];
    if (/^tempfile\.mkstemp\(\)$/.test(of)) return TEMPORARY_NAME;
    const text = node.reversed ? this.#text(node.of) : undefined;
    return text === undefined ? undefined : [...text].reverse().join("");
  }

  #member(node: Extract<Node, { t: "member" }>): string | undefined {
    const path = this.path(node);
    if (path === "process.env.HOME") return this.#home;
    if (NEW_FILE.test(path) || NEW_NAME.test(path)) return TEMPORARY_NAME;
    // with NamedTemporaryFile(…) as f: f.name
    const loop = node.of.t === "name" && /^(?:name|path)$/.test(node.name) ? this.#loops.get(node.of.text) : undefined;
    if (loop?.[0] === TEMPORARY_NAME) return TEMPORARY_NAME;
    return path === "os.sep" ? "/" : path === "os.curdir" ? "." : undefined;
  }

  #result(node: Call): string | undefined {
    const path = this.path(node.callee);
    const texts = node.args.map((arg) => this.#text(arg));
    const [first] = texts;
    const whole = texts.map((text) => text ?? HOLE);
    const last = path.slice(path.lastIndexOf(".") + 1);
    if (/^(?:os\.path\.join|path\.(?:posix\.)?(?:join|resolve)|File\.join)$/.test(path)) return joinedPaths(whole);
    if (
      /^(?:os\.path\.(?:abspath|realpath|normpath)|pathlib\.(?:Pure)?(?:Posix)?Path|Pathname(?:\.new)?|str|String|os\.fspath|bytes|compile|shlex\.quote)$/.test(
        path,
      )
    )
      return first;
    if (/^(?:os\.path\.expanduser|File\.expand_path)$/.test(path)) return this.#expanded(first);
    if (/^(?:pathlib\.Path\.home|os\.homedir|Dir\.home)$/.test(path)) return this.#home;
    if (/^(?:os\.getcwd|process\.cwd|Dir\.pwd|getcwd|pathlib\.Path\.cwd|Deno\.cwd)$/.test(path)) return ".";
    if (/^(?:os\.getenv|os\.environ\.get|getenv|Deno\.env\.get|ENV\.fetch)$/.test(path))
      return first === "HOME" ? this.#home : undefined;
    if (NEW_NAME.test(path)) return TEMPORARY_NAME;
    if (/^(?:tempfile\.gettempdir|os\.tmpdir|Dir\.tmpdir|sys_get_temp_dir)$/.test(path)) return "/tmp";
    if (last === "chr" || path === "String.fromCharCode") return String.fromCharCode(...texts.map(Number));
    if (/^(?:sprintf|format|string\.format|Kernel\.(?:format|sprintf)|util\.format)$/.test(path) && first !== undefined)
      return formatted(first, texts.slice(1));
    if (last === "join" || last === "implode") return joinedList(node, this, (one) => this.#text(one));
    const plain = decoded(path, last, texts);
    if (plain !== undefined) return plain;
    return node.callee.t === "member" ? this.#method(node, last, texts) : undefined;
  }

  #method(node: Call, last: string, texts: readonly (string | undefined)[]): string | undefined {
    const of = node.callee.t === "member" ? node.callee.of : undefined;
    const receiver = this.#text(of);
    if (receiver === undefined) return undefined;
    if (/^(?:decode|toString|strip|trim|encode|resolve|absolute|as_posix|read|to_s)$/.test(last)) return receiver;
    if (last === "expanduser") return this.#expanded(receiver);
    if (last === "joinpath" || last === "with_name")
      return joinedPaths([receiver, ...texts.map((text) => text ?? HOLE)]);
    if (last === "format")
      return texts.reduce<string>((text, one) => text.replace(/\{\d*\}/, () => one ?? HOLE), receiver);
    if (last === "concat") return receiver + texts.map((text) => text ?? HOLE).join("");
    return last === "reverse" ? [...receiver].reverse().join("") : undefined;
  }

  #expanded(text: string | undefined): string | undefined {
    return text?.replace(/^~(?=\/|$)/, this.#home);
  }
}

/** What the function that is called does, by its own name or as a method of anything. */
export function actionOf({ callee }: Call, { language }: Script, values: Values): Action | undefined {
  const table = ACTIONS[language];
  return table.get(values.path(callee)) ?? (callee.t === "member" ? table.get(`*.${callee.name}`) : undefined);
}

const UNUSUAL = /^(?:builtins|globalThis|Kernel|global|window|CORE|fs\.promises|pathlib\.Path)|__dict__/;

function normal(path: string): string {
  if (!UNUSUAL.test(path)) return path;
  return path
    .replace(/^(?:builtins|globalThis|Kernel|global|window|CORE)\./, "")
    .replace(/\.__dict__/, "")
    .replace(/^fs\.promises\b/, "fs")
    .replace(
      /^pathlib\.Path(?:\.home|\.cwd)?\(\)(?:\.(?:resolve|absolute|expanduser|joinpath)\(\))*/,
      "pathlib.Path()",
    );
}

/** Names to which something is added later: `d += chunk`. */
function grown(tokens: Script["tokens"]): readonly string[] {
  const names: string[] = [];
  for (let at = 1; at < tokens.length; at++) {
    const { text } = tokens[at] ?? {};
    if (text !== "+=" && text !== ".=" && (text !== "+" || tokens[at + 1]?.text !== "=")) continue;
    const before = tokens[at - 1];
    if (before?.type === "name") names.push(before.text);
  }
  return names;
}
