/**
 * The only file that imports the bash parser. It converts a text into the tree of `syntax.ts`, and refuses in bounded
 * time what is not valid bash, nested too deeply or too large.
 */
import type * as Bash from "unbash";
import { parse } from "unbash";
import { parseLiteralLine } from "./literal-lines.ts";
import { HiddenWordsError, WordParts } from "./parts.ts";
import { SHORT } from "./prescan.ts";
import type { AssignmentNode, Connector, Node, Parts, RedirectNode, Script, SimpleNode, Span } from "./syntax.ts";
import { FILE_TESTS, MAX_COMMANDS, TOO_DEEP, TOO_MANY, Unreadable } from "./syntax.ts";
import { guardText, type Masked } from "./text-guard.ts";

export type { Bash };

/** The parser allows a few levels more; the conversion needs some stack for each level. */
const MAX_DEPTH = 201;
const NONE: readonly never[] = [];

/** Throws `Unreadable`, also for errors inside the parser. */
export function readTree(text: string): Script {
  return (text.length <= SHORT ? parseLiteralLine(text) : undefined) ?? parseTree(text);
}

/** As `readTree`, always with the parser. */
export function parseTree(text: string, hideRuns = true): Script {
  try {
    return convert(guardText(text, hideRuns));
  } catch (error) {
    if (error instanceof HiddenWordsError) return parseTree(text, false);
    if (error instanceof Unreadable) throw error;
    // A stack overflow inside the parser is a RangeError.
    throw new Unreadable(error instanceof RangeError ? TOO_DEEP : "the parser gave up");
  }
}

function convert(masked: Masked): Script {
  const converter = new Converter(masked);
  const script = converter.script(parse(masked.text));
  converter.checkRuns();
  return script;
}

class Converter {
  readonly #masked: Masked;
  readonly #parts: WordParts;
  /** The text that positions refer to. Inside escaped backticks the parser's positions refer to a text of its own. */
  #source: string;
  /** The position of the backticks, for everything inside them. */
  #fixed: Span | undefined;
  #depth = 0;
  #commands = 0;
  #substitutions = 0;

  constructor(masked: Masked) {
    this.#masked = masked;
    this.#source = masked.text;
    this.#parts = new WordParts({
      plain: masked.unmask,
      runs: masked.runs,
      script: (part) => this.#substitution(part),
      deeper: (work) => this.#deeper(work),
    });
  }

  script(script: Bash.Script & { readonly errors?: readonly Bash.ParseError[] | undefined }): Script {
    const error = script.errors?.[0];
    if (error && /nesting depth/.test(error.message)) throw new Unreadable(TOO_DEEP);
    if (error) throw new Unreadable(`syntax error: ${this.#plain(error.message)}`);
    return this.#statements(script.commands);
  }

  /** A filler word that is none of the words of the tree was part of something else. */
  checkRuns(): void {
    if (this.#parts.runsFound !== (this.#masked.runs?.size ?? 0)) throw new HiddenWordsError();
  }

  #statements(commands: readonly Bash.Statement[]): Script {
    // Refuses too many commands before the first one is converted.
    if (commands.length > MAX_COMMANDS) this.#count(commands.filter(({ command }) => command.type === "Command"));
    return this.#deeper(() => ({
      statements: commands.map((statement, index) => ({
        node: this.#node(statement.command),
        joined: this.#connector(commands[index - 1], statement),
        background: statement.background === true,
      })),
    }));
  }

  #substitution(part: { readonly pos: number; readonly end: number; readonly script: Bash.ParsedScript | undefined }) {
    const { script } = part;
    if (++this.#substitutions > MAX_COMMANDS) throw new Unreadable(TOO_MANY);
    if (!script) throw new Unreadable("a substitution that cannot be followed");
    if (script.source === undefined) return this.script(script);
    const [source, fixed] = [this.#source, this.#fixed];
    this.#fixed = this.#at(part);
    this.#source = script.source;
    const result = this.script(script);
    this.#source = source;
    this.#fixed = fixed;
    return result;
  }

  #connector(before: Bash.Statement | undefined, statement: Bash.Statement): Connector {
    if (!before) return "";
    if (before.background) return "&";
    return this.#source.slice(before.end, statement.pos).trimStart().startsWith(";") ? ";" : "\n";
  }

  #deeper<T>(work: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw new Unreadable(TOO_DEEP);
    const result = work();
    this.#depth--;
    return result;
  }

  #at(node: { readonly pos: number; readonly end: number }): Span {
    return this.#fixed ?? { start: node.pos, end: node.end };
  }

  #plain(text: string): string {
    return this.#masked.unmask(text);
  }

  #node(node: Bash.Statement["command"]): Node {
    switch (node.type) {
      case "Command":
        if (++this.#commands > MAX_COMMANDS) throw new Unreadable(TOO_MANY);
        return this.#command(node);
      case "AndOr":
        this.#count(node.commands);
        return { kind: "chain", items: node.commands.map((item) => this.#node(item)), operators: node.operators };
      case "Pipeline":
        this.#count(node.commands);
        return {
          kind: "pipeline",
          items: node.commands.map((item) => this.#node(item)),
          operators: node.operators,
          negated: node.prefixes.filter((prefix) => prefix.type === "Negation").length % 2 === 1,
        };
      case "Subshell":
        return { kind: "subshell", body: this.#statements(node.body.commands) };
      case "BraceGroup":
        return { kind: "group", body: this.#statements(node.body.commands) };
      case "If":
        return {
          kind: "if",
          branches: [node, ...node.elif].map((branch) => ({
            test: this.#statements(branch.clause.commands),
            body: this.#statements(branch.then.commands),
          })),
          otherwise: node.else && this.#statements(node.else.commands),
        };
      case "While":
        return {
          kind: "while",
          until: node.kind === "until",
          test: this.#statements(node.clause.commands),
          body: this.#statements(node.body.commands),
        };
      case "For":
      case "Select":
        return {
          kind: node.type === "For" ? "for" : "select",
          name: this.#plain(node.name.value),
          words: node.wordlist?.map((word) => this.#parts.wordRun(word) ?? this.#parts.word(word)),
          body: this.#statements(node.body.commands),
        };
      case "ArithmeticFor":
        return {
          kind: "count",
          head: [node.initialize, node.test, node.update].flatMap((part) =>
            part ? [this.#parts.arithmetic(part, "")] : [],
          ),
          body: this.#statements(node.body.commands),
        };
      case "Case":
        return {
          kind: "case",
          word: this.#parts.word(node.word),
          branches: node.items.map((item) => ({
            patterns: item.pattern.map((pattern) => this.#parts.word(pattern)),
            body: this.#statements(item.body.commands),
            falls: item.terminator === ";&" || item.terminator === ";;&",
          })),
        };
      case "TestCommand":
        return { kind: "test", words: this.#testWords(node.expression), ...fileTestIn(node.expression) };
      case "ArithmeticCommand":
        return { kind: "test", words: [[this.#parts.arithmetic(node.expression, node.body)]] };
      case "Function":
        return { kind: "function", name: this.#plain(node.name.value), body: this.#body(node), at: this.#at(node) };
      case "Coproc":
        return { kind: "coproc", name: node.name && this.#plain(node.name.value), body: this.#body(node) };
      case "Redirected":
        return {
          kind: "redirected",
          node: this.#node(node.command),
          redirects: this.#redirects(node.redirects),
          at: this.#at(node),
        };
    }
  }

  #count(commands: readonly unknown[]): void {
    if (this.#commands + commands.length > MAX_COMMANDS) throw new Unreadable(TOO_MANY);
  }

  #command(node: Bash.Command): SimpleNode {
    const assigned = node.prefix.length === 0 ? NONE : node.prefix.filter((item) => item.type === "Assignment");
    const assignments = assigned.length === 0 ? NONE : assigned.map((item) => this.#assignment(item));
    const redirects = node.redirects.length === 0 ? NONE : this.#redirects(node.redirects);
    const simple = { kind: "simple" as const, at: this.#at(node), assignments, redirects };
    const [last, { name }] = [assignments.at(-1), node];
    // Of `X=<(…) program` the parser takes the value for the program.
    if (!last || !name || assigned.at(-1)?.end !== name.pos || !/^[<>]\(/.test(name.text))
      return { ...simple, words: this.#words(name, node.args) };
    const whole = { ...last, value: this.#parts.word(name), text: last.text + this.#plain(name.text) };
    return { ...simple, assignments: [...assignments.slice(0, -1), whole], words: this.#words(undefined, node.args) };
  }

  #words(name: Bash.Command["name"], args: Bash.Command["args"]): (Parts | AssignmentNode)[] {
    const words: (Parts | AssignmentNode)[] = name ? [this.#parts.word(name)] : [];
    for (const word of args) {
      if (word.type === "Assignment") words.push(this.#assignment(word));
      else words.push(this.#parts.wordRun(word, name?.text) ?? this.#parts.word(word));
    }
    return words;
  }

  #body(node: Bash.Function | Bash.Coproc): Node {
    if (node.body.type === "CompoundList") throw new Unreadable("syntax error: a body was expected");
    return this.#node(node.body);
  }

  #assignment(node: Bash.Assignment): AssignmentNode {
    this.#parts.refuseRun(node.text);
    const list =
      node.value.type === "ArrayValue" ? node.value.elements.map((word) => this.#parts.word(word)) : undefined;
    return {
      name: node.name,
      append: node.append === true,
      index: node.index && this.#parts.word(node.index),
      value: node.value.type === "ArrayValue" ? [] : this.#parts.word(node.value),
      list,
      text: this.#plain(node.text),
    };
  }

  #redirects(nodes: readonly Bash.Redirection[]): RedirectNode[] {
    return nodes.map((node) => {
      const fd = node.descriptor?.type === "FileDescriptor" ? node.descriptor.value : node.descriptor?.name;
      if (node.type === "HereDoc") return { operator: node.operator, fd, target: undefined, body: this.#heredoc(node) };
      const word = node.target && this.#parts.word(node.target);
      if (node.type === "HereString") return { operator: node.operator, fd, target: undefined, body: word };
      return { operator: node.operator, fd, target: word, body: undefined };
    });
  }

  #heredoc(node: Bash.HereDoc): Parts {
    const parts: Parts = node.body.parts
      ? this.#parts.quoted(node.body.parts)
      : [{ kind: "text", text: this.#plain(node.body.text), quoted: true }];
    if (node.operator === "<<") return parts;
    return parts.map((part, index) => {
      if (part.kind !== "text") return part;
      const text = part.text.replace(/\n\t+/g, "\n");
      return { ...part, text: index === 0 ? text.replace(/^\t+/, "") : text };
    });
  }

  #testWords(node: Bash.TestExpression): Parts[] {
    switch (node.type) {
      case "TestUnary":
        return [this.#parts.word(node.operand)];
      case "TestBinary":
        return [this.#parts.word(node.left), this.#parts.word(node.right)];
      case "TestLogical":
        return this.#deeper(() => node.operands.flatMap((operand) => this.#testWords(operand)));
      case "TestNot":
        return this.#deeper(() => this.#testWords(node.operand));
      case "TestGroup":
        return this.#deeper(() => this.#testWords(node.expression));
    }
  }
}

/** `[[ -e x ]]`, `[[ ! -f x ]]` */
function fileTestIn(test: Bash.TestExpression): { readonly looksFor?: "file" | "none" } {
  if (test.type === "TestUnary") return FILE_TESTS.has(test.operator) ? { looksFor: "file" } : {};
  if (test.type !== "TestNot" || test.negations.length !== 1) return {};
  return fileTestIn(test.operand).looksFor === "file" ? { looksFor: "none" } : {};
}
