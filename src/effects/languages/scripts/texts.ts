import { posix } from "node:path";
import { CLOSE, OPEN } from "./tokens.ts";

/** A piece that nobody knows before the script runs. */
export const HOLE = "\uf0ff";
/** A name inside a text, which stands there for its value. */
export const NAMED_PIECE = new RegExp(`${OPEN}([^${OPEN}${CLOSE}]*)${CLOSE}`, "g");

/** What a call that decodes a text gives; undefined for any other call. */
export function decoded(path: string, last: string, texts: readonly (string | undefined)[]): string | undefined {
  const [first, second] = texts;
  if (first === undefined) return undefined;
  if (
    /^(?:base64\.(?:standard_|urlsafe_)?b64decode|atob|base64_decode|Base64\.(?:strict_)?decode64|decode_base64)$/.test(
      path,
    )
  )
    return Buffer.from(first, "base64").toString("utf8");
  if (path === "Buffer.from")
    return /^(?:base64|hex)$/.test(second ?? "") ? Buffer.from(first, second as "hex").toString("utf8") : first;
  if (/^(?:bytes\.fromhex|bytearray\.fromhex|binascii\.unhexlify|hex2bin)$/.test(path))
    return Buffer.from(first.replace(/\s+/g, ""), "hex").toString("utf8");
  if (last === "decode" && second === "rot13")
    return first.replace(/[a-z]/gi, (c) => String.fromCharCode(c.charCodeAt(0) + (/[a-m]/i.test(c) ? 13 : -13)));
  return undefined;
}

export function joinedPaths(parts: readonly string[]): string {
  const start = parts.findLastIndex((part) => part.startsWith("/"));
  return posix.join(...parts.slice(Math.max(start, 0)));
}

/** `"%s/%d" % …`, `sprintf("%s", …)`: each place with the text that is put there. */
export function formatted(format: string, texts: readonly (string | undefined)[]): string {
  let next = 0;
  return format.replace(/%(?:\(\w+\)|<\w+>)?[-+ 0#]*\d*(?:\.\d+)?[a-zA-Z%]|%\{\w+\}/g, (place) => {
    if (place === "%%") return "%";
    return /^%(?:\(|<|\{)/.test(place) ? HOLE : (texts[next++] ?? HOLE);
  });
}
