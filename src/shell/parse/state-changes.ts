import { type AssignmentNode, isParts, type Node, type Parts, type Script, type SimpleNode } from "./syntax.ts";

/** What a part of a line may change in the state of the shell that runs it, found from the syntax tree alone. */
export interface StateChanges {
  /** Variables that it may assign. */
  readonly names: Set<string>;
  /** Of these, the local variables of a function. */
  readonly locals: Set<string>;
  /** Programs and functions it calls by name. */
  readonly calls: Set<string>;
  /** Anything may have changed, as after `eval`. */
  everything: boolean;
  /** Changes the current folder. */
  moves: boolean;
  /** Contains break, continue or return. */
  jumps: boolean;
}

const FOLDER_CHANGERS = new Set(["cd", "pushd", "popd"]);
const JUMPERS = new Set(["break", "continue", "return"]);
const LOCALS = new Set(["local", "declare", "typeset"]);
const ASSIGNERS = new Set([
  ...LOCALS,
  ...["read", "mapfile", "readarray", "getopts", "printf", "let", "wait", "export", "readonly", "unset"],
]);
const ANYTHING = new Set(["eval", "source", ".", "command", "builtin", "set", "shift", "shopt", "enable", "trap"]);

const cache = new WeakMap<Script, StateChanges>();

export function changesOf(script: Script): StateChanges {
  const made = cache.get(script);
  if (made) return made;
  const found: StateChanges = empty();
  for (const statement of script.statements) if (!statement.background) look(statement.node, found);
  cache.set(script, found);
  return found;
}

export function changesOfNode(node: Node): StateChanges {
  const found = empty();
  look(node, found);
  return found;
}

const sizes = new WeakMap<Script, number>();

/** The number of commands in a script, compound commands included; commands inside words are not counted. */
export function sizeOf(script: Script): number {
  let size = sizes.get(script);
  if (size === undefined) {
    size = script.statements.reduce((sum, { node }) => sum + nodeSize(node), 0);
    sizes.set(script, size);
  }
  return size;
}

function nodeSize(node: Node): number {
  switch (node.kind) {
    case "chain":
    case "pipeline":
      return node.items.reduce((sum, item) => sum + nodeSize(item), 1);
    case "if": {
      const branches = node.branches.reduce((sum, { test, body }) => sum + sizeOf(test) + sizeOf(body), 1);
      return branches + (node.otherwise ? sizeOf(node.otherwise) : 0);
    }
    case "while":
      return 1 + sizeOf(node.test) + sizeOf(node.body);
    case "case":
      return node.branches.reduce((sum, { body }) => sum + sizeOf(body), 1);
    case "subshell":
    case "group":
    case "for":
    case "select":
    case "count":
      return 1 + sizeOf(node.body);
    case "redirected":
      return 1 + nodeSize(node.node);
    case "coproc":
      return 1 + nodeSize(node.body);
    default:
      return 1;
  }
}

function empty(): StateChanges {
  return { names: new Set(), locals: new Set(), calls: new Set(), everything: false, moves: false, jumps: false };
}

function add(found: StateChanges, script: Script): void {
  const other = changesOf(script);
  for (const name of other.names) found.names.add(name);
  for (const name of other.locals) found.locals.add(name);
  for (const name of other.calls) found.calls.add(name);
  found.everything ||= other.everything;
  found.moves ||= other.moves;
  found.jumps ||= other.jumps;
}

function look(node: Node, found: StateChanges): void {
  switch (node.kind) {
    case "simple":
      simple(node, found);
      return;
    case "chain":
      for (const item of node.items) look(item, found);
      return;
    case "pipeline":
      if (node.items.length === 1) for (const item of node.items) look(item, found);
      return;
    case "group":
      add(found, node.body);
      return;
    case "if":
      for (const branch of node.branches) {
        add(found, branch.test);
        add(found, branch.body);
      }
      if (node.otherwise) add(found, node.otherwise);
      return;
    case "while":
      add(found, node.test);
      add(found, node.body);
      return;
    case "for":
    case "select":
      found.names.add(node.name).add("REPLY");
      for (const word of node.words ?? []) parts(word, found);
      add(found, node.body);
      return;
    case "count":
      parts(node.head, found);
      add(found, node.body);
      return;
    case "case":
      parts(node.word, found);
      for (const branch of node.branches) {
        for (const pattern of branch.patterns) parts(pattern, found);
        add(found, branch.body);
      }
      return;
    case "test":
      for (const word of node.words) parts(word, found);
      return;
    case "redirected":
      for (const redirect of node.redirects) redirected(redirect, found);
      look(node.node, found);
      return;
    case "coproc":
      found.names.add(node.name ?? "COPROC");
      return;
    case "function":
      found.everything = true;
      return;
    case "subshell":
      return;
  }
}

function simple(node: SimpleNode, found: StateChanges): void {
  for (const assignment of node.assignments) assigned(assignment, found);
  for (const redirect of node.redirects) redirected(redirect, found);
  for (const word of node.words) {
    if (isParts(word)) parts(word, found);
    else assigned(word, found);
  }
  const [program] = node.words;
  if (program === undefined) return;
  const first = nameOf(program);
  if (first === undefined || ANYTHING.has(first)) {
    found.everything = true;
    return;
  }
  found.calls.add(first);
  found.moves ||= FOLDER_CHANGERS.has(first);
  found.jumps ||= JUMPERS.has(first);
  if (!ASSIGNERS.has(first)) return;
  // `read` without a name assigns to REPLY.
  if (first === "read") found.names.add("REPLY");
  for (let at = 1; at < node.words.length; at++) {
    const word = nameOf(node.words[at] as (typeof node.words)[number]);
    if (word === undefined) found.everything = true;
    for (const name of word?.match(/[A-Za-z_]\w*/g) ?? []) {
      found.names.add(name);
      if (LOCALS.has(first)) found.locals.add(name);
    }
  }
}

function nameOf(word: SimpleNode["words"][number]): string | undefined {
  return isParts(word) ? literal(word) : word.name;
}

function redirected(redirect: SimpleNode["redirects"][number], found: StateChanges): void {
  if (typeof redirect.fd === "string") found.names.add(redirect.fd);
  parts(redirect.target ?? redirect.body ?? [], found);
}

function assigned(assignment: AssignmentNode, found: StateChanges): void {
  found.names.add(assignment.name);
  parts(assignment.value, found);
  for (const element of assignment.list ?? []) parts(element, found);
}

function parts(list: Parts, found: StateChanges): void {
  if (list.length === 1 && list[0]?.kind === "text") return;
  for (const part of list) {
    if (part.kind === "text") continue;
    if (part.kind === "output") {
      found.everything ||= part.inPlace;
    } else if (part.kind === "variable") {
      if (part.operator?.endsWith("=")) found.names.add(part.name);
      parts(part.operand, found);
      if (part.index) parts(part.index, found);
    } else {
      for (const name of part.assigns) found.names.add(name);
      parts(part.inside, found);
    }
  }
}

function literal(word: Parts): string | undefined {
  const [only] = word;
  if (word.length === 1) return only?.kind === "text" ? only.text : undefined;
  let text = "";
  for (const part of word) {
    if (part.kind !== "text") return undefined;
    text += part.text;
  }
  return text;
}
