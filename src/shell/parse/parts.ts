import { FILLER } from "./prescan.ts";
import type { OpaquePart, Part, Parts, Script, TextPart } from "./syntax.ts";
import { Unreadable } from "./syntax.ts";
import type { Bash } from "./tree.ts";

/** A word that is one quoted text without expansions. */
const QUOTED_WHOLE = /^(?:"[^"$`\\]*"|'[^']*')$/;

/** Most words have no character with a special meaning. */
const PLAIN = /^[\w./:@%+,=~^-]+$/;

/** The arguments of these commands may be assignments. */
const DECLARES = /^(?:export|declare|typeset|local|readonly|alias)$/;

type Substitution = Bash.CommandExpansionPart | Bash.ProcessSubstitutionPart | Bash.ArithmeticCommandExpansion;

/** What the conversion of words needs from the conversion of commands. */
interface CommandConverter {
  /** Restores the characters of the source that were replaced before it was parsed. */
  plain(text: string): string;
  /** Runs of literal words that were replaced by filler words, by their position. */
  readonly runs: ReadonlyMap<number, string> | undefined;
  script(part: Substitution): Script;
  deeper<T>(work: () => T): T;
}

/** Thrown where a filler word stands in a place in which the words that it replaces may have another meaning. */
export class HiddenWordsError extends Error {}

/** Converts the words of the parser's tree into the parts that expansion works on. */
export class WordParts {
  readonly #commands: CommandConverter;
  readonly #found = new Set<number>();

  constructor(commands: CommandConverter) {
    this.#commands = commands;
  }

  /** The run of words that a filler word replaces; undefined for any other word. */
  wordRun(word: Bash.Word, program?: string): Parts | undefined {
    if (!this.#commands.runs || !word.text.startsWith(FILLER)) return undefined;
    const run = this.#commands.runs.get(word.pos);
    if (run?.length !== word.text.length || (run.includes("=") && DECLARES.test(program ?? "")))
      throw new HiddenWordsError();
    this.#found.add(word.pos);
    const words = run.split(" ");
    return [{ kind: "text", text: run, quoted: false, wordRun: run.includes("  ") ? words.filter(Boolean) : words }];
  }

  get runsFound(): number {
    return this.#found.size;
  }

  refuseRun(source: string): void {
    if (this.#commands.runs && source.includes(FILLER)) throw new HiddenWordsError();
  }

  word(word: Bash.Word | Bash.ArithmeticWord, quoted = false): Parts {
    // Asked for the parts of a quoted word, the parser would read the word a second time.
    if (!quoted && word.type === "Word") {
      const source = word.text;
      if (PLAIN.test(source)) return [text(source, false)];
      if (QUOTED_WHOLE.test(source)) return [text(this.#commands.plain(source.slice(1, -1)), true)];
    }
    this.refuseRun(word.type === "Word" ? word.text : word.value);
    if (word.parts) return word.parts.flatMap((part) => this.#part(part, quoted));
    return this.#literal(word.type === "Word" ? word.text : word.value, quoted);
  }

  /** The parts of a text without quoting of its own: the inside of double quotes or of a here-document. */
  quoted(parts: readonly Bash.WordPart[]): Parts {
    return parts.flatMap((part) => this.#part(part, true));
  }

  arithmetic(expression: Bash.ArithmeticExpression | undefined, text: string, quoted = false): OpaquePart {
    // The parser gives no tree for an expression that is only complete at run time. Any name in it may be assigned.
    const found: Found = { inside: [], assigns: expression ? [] : (text.match(/[A-Za-z_]\w*/g) ?? []) };
    if (expression) this.#collect(expression, found);
    else if (/\$\(|[`']/.test(text)) throw new Unreadable("arithmetic that cannot be followed");
    return { kind: "arithmetic", text: this.#commands.plain(text), quoted, script: undefined, ...found };
  }

  #collect(node: Bash.ArithmeticExpression, found: Found): void {
    const down = (child: Bash.ArithmeticExpression) => this.#commands.deeper(() => this.#collect(child, found));
    switch (node.type) {
      case "ArithmeticBinary":
        if (/^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator)) found.assigns.push(...assignedName(node.left));
        down(node.left);
        down(node.right);
        return;
      case "ArithmeticUnary":
        if (node.operator === "++" || node.operator === "--") found.assigns.push(...assignedName(node.operand));
        down(node.operand);
        return;
      case "ArithmeticTernary":
        down(node.test);
        down(node.consequent);
        down(node.alternate);
        return;
      case "ArithmeticGroup":
        down(node.expression);
        return;
      case "ArithmeticWord":
        // The parser takes some groups of commands for arithmetic. Real arithmetic has no single quotes.
        if (
          node.parts?.some(({ type }) => type === "SingleQuoted" || type === "AnsiCQuoted") ||
          /^[^$`]*'/.test(node.value)
        )
          throw new Unreadable("arithmetic that cannot be followed");
        for (const part of this.word(node)) {
          if (part.kind !== "text") found.inside.push(part);
          else if (/\S\s+\S/.test(part.text)) throw new Unreadable("arithmetic that cannot be followed");
        }
        return;
      case "ArithmeticCommandExpansion":
        found.inside.push(this.#output(node, true));
        return;
    }
  }

  #part(part: Bash.WordPart, quoted: boolean): Parts {
    const plain = this.#commands.plain;
    switch (part.type) {
      case "Literal":
        return quoted ? [text(plain(part.value), true)] : this.#literal(part.text, false);
      case "SingleQuoted":
        return [text(plain(part.value), true)];
      case "AnsiCQuoted":
        // An escape may spell the stand-in character of a masked brace. Then the value is not known.
        if (plain(part.value) !== part.value && plain(part.text) === part.text) return [this.#opaque(part, quoted)];
        return [text(plain(part.value), true)];
      case "DoubleQuoted":
      case "LocaleString":
        return part.parts.length > 0 ? this.quoted(part.parts) : [text("", true)];
      case "Glob":
        if (!part.parts) return [text(part.text, quoted)];
        return [text("[", quoted), ...part.parts.flatMap((inner) => this.#part(inner, quoted)), text("]", quoted)];
      case "SimpleExpansion": {
        const name = part.text.replaceAll("\\\n", "").slice(1);
        return [this.#variable(part.text, quoted, name, {})];
      }
      case "ParameterExpansion":
        return [this.#parameter(part, quoted)];
      case "CommandExpansion":
        return [this.#output(part, quoted)];
      case "ArithmeticExpansion":
        return [this.arithmetic(part.expression, part.text, quoted)];
      case "ProcessSubstitution":
        return [{ ...this.#opaque(part, quoted), kind: "process", script: this.#commands.script(part) }];
      case "ExtendedGlob":
      case "BraceExpansion": {
        const inside = this.#commands.deeper(() => part.parts?.flatMap((inner) => this.#part(inner, quoted)) ?? []);
        const kind = part.type === "ExtendedGlob" ? "pattern" : "opaque";
        return [{ ...this.#opaque(part, quoted), kind, inside: inside.filter((inner) => inner.kind !== "text") }];
      }
    }
  }

  #parameter(part: Bash.ParameterExpansionPart, quoted: boolean): Part {
    const index = part.index && this.word(part.index);
    const operation = part.operation;
    const operand = this.#commands.deeper(() => this.#operand(operation, quoted));
    const operator = part.prefix ?? (operation?.type === "Default" ? operation.operator : operation && "other");
    return this.#variable(part.text, quoted, part.parameter, { index, operator, operand });
  }

  #operand(operation: Bash.ParameterOperation | undefined, quoted: boolean): Parts {
    switch (operation?.type) {
      case "Default":
      case "Remove":
      case "Transform":
        return this.word(operation.operand, quoted);
      case "CaseModification":
        return operation.operand ? this.word(operation.operand) : [];
      case "Replace":
        return [...this.word(operation.pattern), ...this.word(operation.replacement)];
      case "Slice":
        return [...this.word(operation.offset), ...(operation.length ? this.word(operation.length) : [])];
      default:
        return [];
    }
  }

  #variable(
    source: string,
    quoted: boolean,
    name: string,
    rest: { index?: Parts | undefined; operator?: string | undefined; operand?: Parts },
  ): Part {
    const { index, operator, operand = [] } = rest;
    return { kind: "variable", text: this.#commands.plain(source), quoted, name, index, operator, operand };
  }

  #output(part: Bash.CommandExpansionPart | Bash.ArithmeticCommandExpansion, quoted: boolean): Part {
    const source = this.#commands.plain(part.text);
    const script = this.#commands.script(part);
    return { kind: "output", text: source, quoted, script, inPlace: source.startsWith("${") };
  }

  #opaque(part: { readonly text: string }, quoted: boolean): OpaquePart {
    const source = this.#commands.plain(part.text);
    return { kind: "opaque", text: source, quoted, inside: [], script: undefined, assigns: [] };
  }

  /** Text outside quotes: a backslash quotes one character; before a line end both are removed. */
  #literal(raw: string, quoted: boolean): Parts {
    const source = this.#commands.plain(raw);
    if (!source.includes("\\")) return [text(source, quoted)];
    // Between double quotes a backslash has other rules.
    if (quoted) return [this.#opaque({ text: raw }, quoted)];
    const parts: TextPart[] = [];
    for (const [, decodeEscapes, bare] of source.matchAll(/\\([\s\S]?)|([^\\]+)/g)) {
      if (bare !== undefined) parts.push(text(bare, false));
      else if (decodeEscapes !== "\n") parts.push(text(decodeEscapes || "\\", true));
      // A dollar sign before a removed line end begins an expansion with the text of the next line.
      else if (parts.at(-1)?.quoted === false && parts.at(-1)?.text.endsWith("$"))
        return [this.#opaque({ text: raw }, false)];
    }
    return parts;
  }
}

interface Found {
  readonly inside: Part[];
  readonly assigns: string[];
}

function text(value: string, quoted: boolean): TextPart {
  return { kind: "text", text: value, quoted };
}

function assignedName(node: Bash.ArithmeticExpression): string[] {
  return node.type === "ArithmeticWord" ? (node.value.match(/[A-Za-z_]\w*/g) ?? []) : [];
}
