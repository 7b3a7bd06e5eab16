import { HIDDEN } from "./prescan.ts";
import type { OpaquePart, Part, Parts, Script, TextPart } from "./syntax.ts";
import { Unreadable } from "./syntax.ts";
import type { Bash } from "./tree.ts";

/** One pair of quotes around a text in which nothing has a meaning. */
const QUOTED_WHOLE = /^(?:"[^"$`\\]*"|'[^']*')$/;

/** Characters without any meaning of their own, which most words are made of. */
const PLAIN = /^[\w./:@%+,=~^-]+$/;

/** Their words with an equals sign are assignments. */
const DECLARES = /^(?:export|declare|typeset|local|readonly|alias)$/;

type Substitution = Bash.CommandExpansionPart | Bash.ProcessSubstitutionPart | Bash.ArithmeticCommandExpansion;

/** What the conversion of words needs from the conversion of commands. */
export interface Surroundings {
  plain(text: string): string;
  /** Rows of plain words that stand in the text as single words, by where they begin. */
  readonly rows: ReadonlyMap<number, string> | undefined;
  script(part: Substitution): Script;
  deeper<T>(work: () => T): T;
}

/** A row of words stands where single words have a meaning of their own. */
export class HiddenWordsError extends Error {}

/** Words of the parser's tree, as the parts that expansion works on. */
export class WordParts {
  readonly #around: Surroundings;
  readonly #found = new Set<number>();

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** A word that is a whole row of plain ones. */
  row(word: Bash.Word, program?: string): Parts | undefined {
    if (!this.#around.rows || !word.text.startsWith(HIDDEN)) return undefined;
    const row = this.#around.rows.get(word.pos);
    if (row?.length !== word.text.length || (row.includes("=") && DECLARES.test(program ?? "")))
      throw new HiddenWordsError();
    this.#found.add(word.pos);
    const words = row.split(" ");
    return [{ kind: "text", text: row, quoted: false, row: row.includes("  ") ? words.filter(Boolean) : words }];
  }

  get rowsFound(): number {
    return this.#found.size;
  }

  refuseRow(source: string): void {
    if (this.#around.rows && source.includes(HIDDEN)) throw new HiddenWordsError();
  }

  word(word: Bash.Word | Bash.ArithmeticWord, quoted = false): Parts {
    // The parser reads quoted words a second time when it is asked for their parts.
    if (!quoted && word.type === "Word") {
      const source = word.text;
      if (PLAIN.test(source)) return [text(source, false)];
      if (QUOTED_WHOLE.test(source)) return [text(this.#around.plain(source.slice(1, -1)), true)];
    }
    this.refuseRow(word.type === "Word" ? word.text : word.value);
    if (word.parts) return word.parts.flatMap((part) => this.#part(part, quoted));
    return this.#literal(word.type === "Word" ? word.text : word.value, quoted);
  }

  /** Parts of a text in which quotes mean nothing: the inside of double quotes or of a here-document. */
  quoted(parts: readonly Bash.WordPart[]): Parts {
    return parts.flatMap((part) => this.#part(part, true));
  }

  arithmetic(expression: Bash.ArithmeticExpression | undefined, text: string, quoted = false): OpaquePart {
    // Without a tree the parser saw something that only exists at run time; every name in it may be assigned.
    const found: Found = { inside: [], assigns: expression ? [] : (text.match(/[A-Za-z_]\w*/g) ?? []) };
    if (expression) this.#collect(expression, found);
    else if (/\$\(|[`']/.test(text)) throw new Unreadable("arithmetic that cannot be followed");
    return { kind: "arithmetic", text: this.#around.plain(text), quoted, script: undefined, ...found };
  }

  #collect(node: Bash.ArithmeticExpression, found: Found): void {
    const down = (child: Bash.ArithmeticExpression) => this.#around.deeper(() => this.#collect(child, found));
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
        // The parser takes some groups of commands with quotes in them for arithmetic; no honest arithmetic has any.
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
    const plain = this.#around.plain;
    switch (part.type) {
      case "Literal":
        return quoted ? [text(plain(part.value), true)] : this.#literal(part.text, false);
      case "SingleQuoted":
        return [text(plain(part.value), true)];
      case "AnsiCQuoted":
        // An escape may spell the very character that stands for a hidden brace: then nothing is known.
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
        return [{ ...this.#opaque(part, quoted), kind: "process", script: this.#around.script(part) }];
      case "ExtendedGlob":
      case "BraceExpansion": {
        const inside = this.#around.deeper(() => part.parts?.flatMap((inner) => this.#part(inner, quoted)) ?? []);
        const kind = part.type === "ExtendedGlob" ? "pattern" : "opaque";
        return [{ ...this.#opaque(part, quoted), kind, inside: inside.filter((inner) => inner.kind !== "text") }];
      }
    }
  }

  #parameter(part: Bash.ParameterExpansionPart, quoted: boolean): Part {
    const index = part.index && this.word(part.index);
    const operation = part.operation;
    const operand = this.#around.deeper(() => this.#operand(operation, quoted));
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
    return { kind: "variable", text: this.#around.plain(source), quoted, name, index, operator, operand };
  }

  #output(part: Bash.CommandExpansionPart | Bash.ArithmeticCommandExpansion, quoted: boolean): Part {
    const source = this.#around.plain(part.text);
    const script = this.#around.script(part);
    return { kind: "output", text: source, quoted, script, inPlace: source.startsWith("${") };
  }

  #opaque(part: { readonly text: string }, quoted: boolean): OpaquePart {
    const source = this.#around.plain(part.text);
    return { kind: "opaque", text: source, quoted, inside: [], script: undefined, assigns: [] };
  }

  /** Text outside quotes: a backslash quotes one character, a backslash before a line end vanishes. */
  #literal(raw: string, quoted: boolean): Parts {
    const source = this.#around.plain(raw);
    if (!source.includes("\\")) return [text(source, quoted)];
    // Inside quotes a backslash has rules of its own.
    if (quoted) return [this.#opaque({ text: raw }, quoted)];
    const parts: TextPart[] = [];
    for (const [, decodeEscapes, bare] of source.matchAll(/\\([\s\S]?)|([^\\]+)/g)) {
      if (bare !== undefined) parts.push(text(bare, false));
      else if (decodeEscapes !== "\n") parts.push(text(decodeEscapes || "\\", true));
      // A dollar at the end of a line that goes on begins an expansion after all.
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
