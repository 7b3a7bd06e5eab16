/**
 * Makes text from an untrusted file safe for a terminal and a sentence: control and invisible characters are escaped, and
 * long text is cut.
 */
export function printable(text: string, most = 80): string {
  const head = text.length > most ? `${text.slice(0, most)}…` : text;
  return head.replace(/[\p{C}\u2028\u2029]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}

/** A value as it is written in the file. */
export function printableValue(value: unknown, most = 80): string {
  return printable(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"), most);
}
