import { knownText, knownWord, type Word } from "../command.ts";
import type { OpaquePart, OutputPart, Part, Parts, Script, VariablePart } from "../parse/syntax.ts";
import { hasPlaceholder, type Placeholders } from "../placeholders.ts";
import { expandBraces, hasBrace } from "./braces.ts";
import type { Context } from "./context.ts";
import { assignedTilde, Fields, homeTilde } from "./fields.ts";
import type { Flow, SubstitutionResult } from "./flow.ts";
import { transformed } from "./parameters.ts";
import { GENERATED_NUMBER, generatesName, printsGeneratedName } from "./temporary-names.ts";
import { defaultOf, indexText, unknownWithDefault, variableValue, wordValue } from "./values.ts";
import { assign, assignUnknown, customIfs, type Env, forget, type Value } from "./variables.ts";

/** A word without any expansion. */
const PLAIN = /^[\w./:@%+,-][\w./:@%+,=-]*$/;

/** What expansion needs from the reader: it reads the commands inside words, and limits the work of one line. */
export interface Host {
  output(script: Script, env: Env, context: Context, scope: "arithmetic" | undefined): SubstitutionResult;
  process(script: Script, env: Env, context: Context, source: string): Flow;
  /** Counts copied characters; false beyond the limit. */
  afford(length: number): boolean;
  step(count?: number): void;
  readonly placeholders: Placeholders;
}

/** Expands the words of one command from left to right; assignments inside them change `env` on the way. */
export class Expansion {
  env: Env;
  readonly flows: Flow[] = [];
  /** An expansion may fail, and then the command does not start. */
  risky = false;
  /** The number of command substitutions that surely run. */
  outputs = 0;
  readonly #host: Host;
  readonly #scope: "arithmetic" | undefined;
  readonly #context: Context;

  constructor(host: Host, env: Env, context: Context, scope?: "arithmetic") {
    this.#host = host;
    this.#context = context;
    this.#scope = scope;
    this.env = env;
  }

  /** As `word`, appended to `words`. */
  wordInto(parts: Parts, words: Word[]): void {
    const literal = this.#literal(parts);
    if (literal) words.push(literal);
    else for (const word of this.word(parts)) words.push(word);
  }

  /** A word without any expansion, as most are. This saves a fifth of the time for a line such as `ls -la src`. */
  #literal(parts: Parts): Word | undefined {
    const only = parts.length === 1 ? parts[0] : undefined;
    if (only?.kind !== "text" || !(only.quoted ? !hasPlaceholder(only.text) : PLAIN.test(only.text))) return undefined;
    this.#host.step();
    return { text: only.text, known: true };
  }

  /** Full expansion: one word of the source becomes any number of words. */
  word(parts: Parts): readonly Word[] {
    const literal = this.#literal(parts);
    if (literal) return [literal];
    const [first] = parts;
    if (first?.kind === "text" && first.wordRun) {
      this.#host.step(first.wordRun.length >> 3);
      return first.wordRun.map(knownWord);
    }
    const words = this.env.braces || !hasBrace(parts) ? expandBraces(parts) : undefined;
    const source = (): string => parts.map(({ text }) => text).join("");
    if (!words || (words.length > 1 && !this.#host.afford(words.length * source().length))) {
      this.#inside(parts);
      const fields = new Fields(this.#host.placeholders, true);
      fields.unknown(source(), true);
      return fields.end();
    }
    const [only, more] = words;
    if (only && !more) return this.#fields(only).end();
    return words.flatMap((word) => this.#fields(word).end());
  }

  #fields(word: Parts): Fields {
    const fields = new Fields(this.#host.placeholders, true);
    this.#parts(homeTilde(assignedTilde(word, fields), fields, this.env), fields);
    return fields;
  }

  /** Expansion to exactly one word, as of assigned values, here-documents and redirection targets. */
  single(parts: Parts, tildes = false): Word {
    const fields = new Fields(this.#host.placeholders, false);
    const text = parts.map((part) => (part.kind === "text" && !part.quoted ? part.text : "")).join("");
    // In an assigned value a tilde is also expanded after a colon. That is rare, so such a value is not known.
    if (tildes && /:~/.test(text)) fields.unknown("", false);
    this.#parts(homeTilde(parts, fields, this.env), fields);
    return fields.one();
  }

  afford(length: number): boolean {
    return this.#host.afford(length);
  }

  /** Reads the commands inside the parts; their value is not needed. */
  evaluate(parts: Parts): void {
    this.single(parts);
  }

  #parts(parts: Parts, fields: Fields): void {
    for (const part of parts) this.#part(part, fields);
  }

  #part(part: Part, fields: Fields): void {
    this.#host.step();
    if (part.kind === "text") fields.text(part.text, part.quoted);
    else if (part.kind === "variable") this.#variable(part, fields);
    else if (part.kind === "output") this.#output(part, fields);
    else this.#opaque(part, fields);
  }

  #output(part: OutputPart, fields: Fields): void {
    const { flow, text, maybe } = this.#host.output(part.script, this.env, this.#context, this.#scope);
    this.flows.push(flow);
    this.outputs++;
    if (part.inPlace) this.env = forget(this.env);
    if (text === undefined && maybe !== undefined) this.#host.placeholders.setPossible(part.text, maybe);
    if (text === undefined && printsGeneratedName(fields.prefix, part.text)) fields.text(GENERATED_NUMBER, true);
    else if (text === undefined || part.inPlace) fields.unknown(part.text, !part.quoted);
    else this.#value(text.replace(/\n+$/, ""), part, fields);
  }

  #opaque(part: OpaquePart, fields: Fields): void {
    this.#inside(part.inside, part.kind === "arithmetic" ? "arithmetic" : undefined);
    if (part.script) this.flows.push(this.#host.process(part.script, this.env, this.#context, part.text));
    this.env = assignUnknown(this.env, part.assigns);
    if (part.kind === "arithmetic") this.risky = true;
    if (part.kind === "pattern" && !part.quoted) fields.pattern(part.text);
    else fields.unknown(part.text, part.kind === "opaque" && !part.quoted);
  }

  /** Reads commands inside parts that may or may not be evaluated. Returns the word, or undefined if there are none. */
  #inside(parts: Parts, scope: "arithmetic" | undefined = this.#scope): Word | undefined {
    if (parts.every((part) => part.kind === "text")) return undefined;
    const inner = new Expansion(this.#host, this.env, this.#context, scope);
    const word = inner.single(parts);
    this.risky ||= inner.risky;
    if (inner.env !== this.env) this.env = forget(this.env);
    if (inner.flows.length > 0) this.flows.push({ kind: "maybe", items: inner.flows, absorbs: "all" });
    return word;
  }

  #value(text: string, part: Part & { readonly text: string; readonly quoted: boolean }, fields: Fields): void {
    if (!this.#host.afford(text.length)) fields.unknown(part.text, !part.quoted);
    else if (part.quoted) fields.text(text, true);
    else if (this.env.defaultIfs) fields.split(text);
    else if (customIfs(this.env) !== undefined) fields.split(text, customIfs(this.env));
    else fields.unknown(part.text, true);
  }

  #variable(part: VariablePart, fields: Fields): void {
    const value = variableValue(part, this);
    const { operator } = part;
    if (operator === undefined || (operator === "!" && value.kind === "text")) {
      this.#insert(value, part, fields);
      return;
    }
    if (operator === "#" && value.kind === "text" && /^[ -~]*$/.test(value.text)) {
      fields.text(String(value.text.length), part.quoted);
      return;
    }
    const changed =
      operator === "other" && value.kind === "text" && !hasPlaceholder(value.text)
        ? transformed(value.text, part.text)
        : undefined;
    if (changed !== undefined) this.#value(changed, part, fields);
    else if (!/^:?[-=+?]$/.test(operator) || value.kind === "unknown") {
      const defaultText = this.#defaultText(part, operator, defaultOf(value), this.#inside(part.operand));
      if (operator.endsWith("=")) this.env = assign(this.env, part.name, unknownWithDefault(defaultText));
      if (!/[-=+]$/.test(operator)) this.risky = true;
      fields.unknown(part.text, !part.quoted && operator !== "#", defaultText);
    } else this.#default(part, operator, value, fields);
  }

  /** The value if the variable was not set before the line. */
  #defaultText(
    part: VariablePart,
    operator: string,
    set: string | undefined,
    ran: Word | undefined,
  ): string | undefined {
    if (operator === "other") return set === undefined ? undefined : transformed(set, part.text);
    if (/^:?\+$/.test(operator)) return set === undefined ? "" : undefined;
    if (!/^:?[-=]$/.test(operator)) return /^:?\?$/.test(operator) ? set : undefined;
    const word = ran ?? this.single(part.operand);
    const defaultText = set ?? knownText(word) ?? word.defaultText;
    if (defaultText !== undefined) this.#host.placeholders.setPossible(part.text, defaultText);
    return defaultText;
  }

  #default(part: VariablePart, operator: string, value: Value, fields: Fields): void {
    const empty = (value.kind === "text" && value.text === "") || (value.kind === "list" && value.items.length === 0);
    const missing = value.kind === "unset" || (empty && (operator.length === 2 || value.kind === "list"));
    const kind = operator.at(-1);
    if (kind === "+") {
      if (missing) this.#inside(part.operand);
      else this.#operand(part, fields);
    } else if (!missing) {
      this.#inside(part.operand);
      this.#insert(value, part, fields);
    } else if (kind === "?") {
      this.#inside(part.operand);
      this.risky = true;
      fields.unknown(part.text, false);
    } else {
      if (kind === "=") this.env = assign(this.env, part.name, wordValue(this.single(part.operand)));
      this.#operand(part, fields);
    }
  }

  /** The unquoted text of an operand is split into words, as a value is. */
  #operand(part: VariablePart, fields: Fields): void {
    for (const inner of part.operand) {
      if (inner.kind !== "text" || inner.quoted || part.quoted) this.#part(inner, fields);
      else if (!this.env.defaultIfs || inner.text.startsWith("~")) fields.unknown(inner.text, true);
      else fields.split(inner.text);
    }
  }

  #insert(value: Value, part: VariablePart, fields: Fields): void {
    if (value.kind === "text") {
      this.#value(value.text, part, fields);
    } else if (value.kind === "list") {
      const joined = part.quoted && (part.name === "*" || indexText(part) === "*");
      if (joined && !this.env.defaultIfs) fields.unknown(part.text, false);
      else if (joined) this.#value(value.items.join(" "), part, fields);
      else this.#list(value.items, part, fields);
    } else if (value.kind === "unknown" && generatesName(fields.prefix, part.name)) fields.text(GENERATED_NUMBER, true);
    else {
      if (this.env.nounset !== "off") this.risky = true;
      if (value.kind === "unset") {
        if (part.quoted) fields.text("", true);
        return;
      }
      const list = part.name === "@" || indexText(part) === "@";
      const number = /^[?$!#]$/.test(part.name) && this.env.defaultIfs;
      const place = value.kind === "unknown" ? value.place : undefined;
      if (place !== undefined) fields.text(place, part.quoted);
      else if (value.kind === "unknown" && value.fresh !== undefined) fields.fresh(value.fresh);
      else fields.unknown(part.text, list || !(part.quoted || number), defaultOf(value));
    }
  }

  #list(items: readonly string[], part: VariablePart, fields: Fields): void {
    for (const [index, item] of items.entries()) {
      if (index > 0) fields.break();
      this.#value(item, part, fields);
    }
  }
}
