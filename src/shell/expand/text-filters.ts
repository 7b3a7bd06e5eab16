/** The output of a program that only converts its input, such as `base64 -d`, `tr` and `rev`, or undefined. */
export function filterOutput(program: string, args: readonly string[], text: string): string | undefined {
  switch (program) {
    case "cat":
      return args.every((arg) => arg === "-" || arg === "-u") ? text : undefined;
    case "tee":
      return text;
    case "base64":
      return isDecoding(args) ? fromBase64(text) : undefined;
    case "openssl":
      return (args[0] === "base64" || args.includes("-base64") || args.includes("-a")) && args.includes("-d")
        ? fromBase64(text)
        : undefined;
    case "xxd":
      return args.some((arg) => /^-\w*r/.test(arg)) && args.some((arg) => /p/.test(arg)) ? fromHex(text) : undefined;
    case "rev":
      return text
        .split("\n")
        .map((line) => [...line].reverse().join(""))
        .join("\n");
    case "tr":
      return translated(args, text);
    case "sed":
      return substituted(args, text);
    default:
      return undefined;
  }
}

function isDecoding(args: readonly string[]): boolean {
  return args.some((arg) => /^-(?:\w*[dD]\w*|-decode)$/.test(arg)) && args.every((arg) => arg.startsWith("-"));
}

function fromBase64(text: string): string | undefined {
  const plain = text.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return undefined;
  return readable(Buffer.from(plain, "base64"));
}

function fromHex(text: string): string | undefined {
  const plain = text.replace(/\s+/g, "");
  return /^(?:[0-9a-fA-F]{2})*$/.test(plain) ? readable(Buffer.from(plain, "hex")) : undefined;
}

function readable(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") || text.includes("\0") ? undefined : text;
}

/** `sed s/a/b/` without special characters. */
function substituted(args: readonly string[], text: string): string | undefined {
  const [script = "", more] = args.filter((arg) => arg !== "-e");
  const [, mark, from = "", to = "", flags = ""] = /^s([/|#,:@])(.*?)\1(.*?)\1(g?)$/.exec(script) ?? [];
  if (mark === undefined || more !== undefined || /[\\.*[\]&]/.test(from + to) || from === "") return undefined;
  const [, start, plain, end] = /^(\^?)([^^$]+)(\$?)$/.exec(from) ?? [];
  if (plain === undefined) return undefined;
  const changed = (line: string): string => {
    if (!start && !end) return flags === "g" ? line.replaceAll(plain, () => to) : line.replace(plain, () => to);
    if ((start && !line.startsWith(plain)) || (end && !line.endsWith(plain))) return line;
    if (start && end) return line === plain ? to : line;
    return start ? to + line.slice(plain.length) : line.slice(0, line.length - plain.length) + to;
  };
  return text.split("\n").map(changed).join("\n");
}

/** `tr a-z n-za-m`, `tr -d x`. */
function translated(args: readonly string[], text: string): string | undefined {
  const [first = "", second] = args.filter((arg) => arg !== "-d");
  const from = characters(first);
  if (!from) return undefined;
  // A pattern of the characters that change is fast also for a long text that goes through many pipes.
  const any = new RegExp(`[${from.map((char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`).join("")}]`, "gu");
  if (args.includes("-d")) return from.length === 0 ? text : text.replace(any, "");
  const to = second === undefined ? undefined : characters(second);
  if (!to || to.length === 0 || args.some((arg) => /^-\w/.test(arg))) return undefined;
  const last = to.at(-1) ?? "";
  const table = new Map(from.map((char, index) => [char, to[index] ?? last]));
  return from.length === 0 ? text : text.replace(any, (char) => table.get(char) ?? char);
}

function characters(set: string): readonly string[] | undefined {
  if (/[[\]]/.test(set)) return undefined;
  const plain = decodeEscapes(set);
  if (plain === undefined) return undefined;
  const found: string[] = [];
  for (let at = 0; at < plain.length; at++) {
    const from = plain[at] ?? "";
    const to = plain[at + 1] === "-" ? plain[at + 2] : undefined;
    if (to === undefined) {
      found.push(from);
      continue;
    }
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) found.push(String.fromCharCode(code));
    at += 2;
  }
  return found;
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

/** Decodes backslash escapes as `echo -e`, `printf` and `tr` do; undefined if there is one with another meaning. */
export function decodeEscapes(text: string): string | undefined {
  if (!text.includes("\\")) return text;
  let known = true;
  const plain = text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|u([0-9a-fA-F]{1,4})|([\s\S]?))/g,
    (_all, hex, octal, unicode, one) => {
      const code = hex ?? unicode;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      const simple = Object.hasOwn(SIMPLE, one) ? SIMPLE[one] : undefined;
      known &&= simple !== undefined;
      return simple ?? "";
    },
  );
  return known ? plain : undefined;
}
