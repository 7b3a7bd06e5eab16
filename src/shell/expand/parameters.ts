import { globMatches } from "./glob.ts";

/** Recent results; a loop asks for the same ones again. */
const cache = new Map<string, string | undefined>();
const CACHE_SIZE = 200;

/** The result of `${name:1:2}`, `${name#a*}`, `${name//a/b}` or `${name^^}`; undefined for other operations. */
export function transformed(value: string, source: string): string | undefined {
  const [, operation = ""] = /^\$\{[A-Za-z_]\w*(?:\[0\])?([^$`"'\\]*)\}$/s.exec(source) ?? [];
  if (operation === "" || value.length > 4096) return undefined;
  const key = `${operation}\0${value}`;
  if (cache.has(key)) return cache.get(key);
  const result =
    sliced(value, operation) ?? cased(value, operation) ?? stripped(value, operation) ?? replaced(value, operation);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(key, result);
  return result;
}

function sliced(value: string, operation: string): string | undefined {
  const [, offset, length] = /^:\s*(\(?-?\d+\)?)(?::\s*(-?\d+))?$/.exec(operation) ?? [];
  if (offset === undefined || /^:-/.test(operation)) return undefined;
  const from = Number(offset.replace(/[()]/g, ""));
  const start = from < 0 ? value.length + from : from;
  if (start < 0) return "";
  if (length === undefined) return value.slice(start);
  return Number(length) < 0 ? value.slice(start, Number(length)) : value.slice(start, start + Number(length));
}

function cased(value: string, operation: string): string | undefined {
  switch (operation) {
    case "^^":
      return value.toUpperCase();
    case ",,":
      return value.toLowerCase();
    case "^":
      return value.slice(0, 1).toUpperCase() + value.slice(1);
    case ",":
      return value.slice(0, 1).toLowerCase() + value.slice(1);
    default:
      return undefined;
  }
}

function stripped(value: string, operation: string): string | undefined {
  const [, mark, pattern = ""] = /^(##?|%%?)(.+)$/s.exec(operation) ?? [];
  if (mark === undefined) return undefined;
  const atStart = mark.startsWith("#");
  const isLongest = mark.length === 2;
  for (let step = 0; step <= value.length; step++) {
    const size = isLongest ? value.length - step : step;
    if (globMatches(pattern, atStart ? value.slice(0, size) : value.slice(value.length - size)))
      return atStart ? value.slice(size) : value.slice(0, value.length - size);
  }
  return value;
}

function replaced(value: string, operation: string): string | undefined {
  const [, mark, from, to = ""] = /^(\/\/|\/[#%]?)([^/*?[\]]+)(?:\/(.*))?$/s.exec(operation) ?? [];
  if (mark === undefined || from === undefined || to.includes("&")) return undefined;
  if (mark === "//") return value.replaceAll(from, () => to);
  if (mark === "/#") return value.startsWith(from) ? to + value.slice(from.length) : value;
  if (mark === "/%") return value.endsWith(from) ? value.slice(0, -from.length) + to : value;
  return value.replace(from, () => to);
}
