import { lineBefore, type Place, type Rule, type Syntax } from "./comment.ts";
import { endOfBlockScalar, endOfNested, endOfShellString } from "./endings.ts";

const other = (begins: RegExp, more: Omit<Rule, "kind" | "begins"> = {}): Rule => ({ kind: "other", begins, ...more });
const before = ({ text, at }: Place): string => text[at - 1] ?? "\n";

/** In a text between tags, or in a string inside of another one, `//` is part of an address. */
const SLASHES: Rule = { kind: "line", begins: /\/\/[^\n]*/y, when: (place) => before(place) !== ":" };
const BLOCK: Rule = { kind: "block", begins: /\/\*[\s\S]*?(?:\*\/|$)/y };
const NESTED: Rule = { kind: "block", begins: /\/\*/y, end: endOfNested };
const DOUBLE = other(/"(?:[^"\\\n]|\\[\s\S])*"/y);
const SINGLE = other(/'(?:[^'\\\n]|\\[\s\S])*'/y);
/** A single character, and not the name of a lifetime. */
const CHARACTER = other(/'(?:[^'\\\n]|\\[^\n]{1,10})'/y);
const TRIPLE = other(/"""[\s\S]*?(?:"""|$)/y);
const BACKTICKS = other(/`[^`]*(?:`|$)/y);

const slashes = (...rules: Rule[]): Syntax => ({ starts: /["'`/@$#rR]/g, rules: [SLASHES, ...rules] });
const C = slashes(BLOCK, other(/R"([^\s()\\]{0,16})\([\s\S]*?(?:\)\1"|$)/y), DOUBLE, SINGLE);
const JAVA = slashes(BLOCK, TRIPLE, DOUBLE, SINGLE);
const KOTLIN = slashes(NESTED, TRIPLE, DOUBLE, CHARACTER);
const SWIFT = slashes(NESTED, other(/(#{1,9})"[\s\S]*?(?:"\1|$)/y), TRIPLE, DOUBLE);
const CSHARP = slashes(BLOCK, other(/(?:@\$?|\$@)"(?:[^"]|"")*(?:"|$)/y), TRIPLE, DOUBLE, SINGLE);
/** Above `import "C"` a block comment is code. */
const GO = slashes({ ...BLOCK, kind: "other" }, BACKTICKS, DOUBLE, SINGLE);
const RAW = other(/r(#{0,9})"[\s\S]*?(?:"\1|$)/y, { when: (place) => !/\w/.test(before(place)) });
const RUST = slashes(NESTED, RAW, DOUBLE, CHARACTER);

/** Behind a value `/` divides; `</` closes a tag. */
const AFTER_VALUE = /[\w$)\]"'`<.]$/;
const AFTER_KEYWORD = /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await|instanceof)$/;
const REGEX = other(/\/(?![/*])(?:[^\\/[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,500}\]){1,500}\/[a-z]*/y, {
  when: (place) => !AFTER_VALUE.test(place.before) || AFTER_KEYWORD.test(place.before),
});
const JAVASCRIPT: Syntax = {
  starts: /["'`/{}]/g,
  rules: [SLASHES, BLOCK, DOUBLE, SINGLE, REGEX],
  hasTemplates: true,
};

const HASH: Rule = { kind: "line", begins: /#[^\n]*/y };
const AFTER_BLANK: Rule = { ...HASH, when: (place) => /[\s;&|()]/.test(before(place)) };
const LONG = /("""|''')(?:[^\\]|\\[\s\S])*?(?:\1|$)/y;
const PYTHON: Syntax = {
  starts: /["'#]/g,
  rules: [
    HASH,
    {
      kind: "docstring",
      begins: LONG,
      // The first statement of a file, a class or a function; elsewhere it is a value.
      when: (place) =>
        /(?:^|:)\s*[rRuU]?$/.test(place.before) && /^[ \t]*[rRuU]?$/.test(lineBefore(place.text, place.at)),
    },
    other(LONG),
    DOUBLE,
    SINGLE,
  ],
};
const RUBY: Syntax = {
  starts: /["'#/<=_]/g,
  rules: [
    HASH,
    {
      kind: "block",
      begins: /=begin\b[\s\S]*?(?:^=end\b[^\n]*|$(?![\s\S]))/my,
      when: (place) => before(place) === "\n",
    },
    other(/__END__\n[\s\S]*/y, { when: (place) => before(place) === "\n" }),
    other(/<<[-~]?(["'`]?)([A-Z_]\w*)\1[^\n]*\n[\s\S]*?(?:^[ \t]*\2[ \t]*$|$(?![\s\S]))/my),
    other(/"(?:[^"\\]|\\[\s\S])*(?:"|$)/y),
    other(/'(?:[^'\\]|\\[\s\S])*(?:'|$)/y),
    REGEX,
  ],
};
const SHELL: Syntax = {
  starts: /["'#<$\\]/g,
  rules: [
    AFTER_BLANK,
    other(/\\[\s\S]?/y),
    other(/<<<|<<[-~]?[ \t]*(["']?)([A-Za-z_]\w*)\1[^\n]*\n[\s\S]*?(?:^\t*\2$|$(?![\s\S]))/my),
    other(/\$'(?:[^'\\]|\\[\s\S])*(?:'|$)/y),
    other(/"/y, { end: endOfShellString }),
    other(/'[^']*(?:'|$)/y),
  ],
};
/** Within a word these are no quotes, as in `it's`. */
const opensValue = (place: Place): boolean => /[\s[{,(]/.test(before(place));
const YAML: Syntax = {
  starts: /["'#|>]/g,
  rules: [
    { ...HASH, when: (place) => /\s/.test(before(place)) },
    other(/"(?:[^"\\]|\\[\s\S])*(?:"|$)/y, { when: opensValue }),
    other(/'(?:[^']|'')*(?:'|$)/y, { when: opensValue }),
    other(/[|>][-+\d]*[ \t]*(?:#[^\n]*)?\r?\n/y, {
      when: (place) => /(?:[:\-?]|[!&]\S+)[ \t]+$/.test(lineBefore(place.text, place.at)),
      end: endOfBlockScalar,
    }),
  ],
};
const TOML: Syntax = {
  starts: /["'#]/g,
  rules: [
    HASH,
    other(/"""(?:[^\\]|\\[\s\S])*?(?:"""|$)/y),
    other(/'''[\s\S]*?(?:'''|$)/y),
    DOUBLE,
    other(/'[^'\n]*'/y),
  ],
};
const HTML: Syntax = {
  starts: /</g,
  rules: [
    { kind: "block", begins: /<!--[\s\S]*?(?:-->|$)/y },
    other(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/iy),
    other(/<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/y),
    other(/<[a-zA-Z/!?](?:[^<>"']|"[^"]{0,4000}"|'[^']{0,4000}')*>/y),
  ],
};
const DASHES: Rule = { kind: "line", begins: /--[^\n]*/y };
const SQL: Syntax = {
  starts: /["'`/-]/g,
  rules: [DASHES, BLOCK, other(/'(?:[^']|'')*(?:'|$)/y), other(/"[^"]*(?:"|$)/y), BACKTICKS],
};
const LUA: Syntax = {
  starts: /["'[-]/g,
  rules: [
    { kind: "block", begins: /--\[(=*)\[[\s\S]*?(?:\]\1\]|$)/y },
    DASHES,
    other(/\[(=*)\[[\s\S]*?(?:\]\1\]|$)/y),
    DOUBLE,
    SINGLE,
  ],
};

const LANGUAGES: readonly (readonly [string, Syntax])[] = [
  ["js mjs cjs ts mts cts jsx tsx", JAVASCRIPT],
  ["c h cpp cc cxx hpp", C],
  ["java", JAVA],
  ["cs", CSHARP],
  ["go", GO],
  ["rs", RUST],
  ["swift", SWIFT],
  ["kt kts", KOTLIN],
  ["py pyi", PYTHON],
  ["rb", RUBY],
  ["sh bash zsh", SHELL],
  ["yaml yml", YAML],
  ["toml", TOML],
  ["html htm xml vue svelte", HTML],
  ["sql", SQL],
  ["lua", LUA],
];

/** By the ending of a file's name, without the dot. */
export const SYNTAXES: ReadonlyMap<string, Syntax> = new Map(
  LANGUAGES.flatMap(([endings, syntax]) => endings.split(" ").map((ending) => [ending, syntax] as const)),
);
