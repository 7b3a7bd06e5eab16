import { globFits } from "./glob.ts";

/** `${name:1:2}`, `${name#a*}`, `${name//a/b}`, `${name^^}` of a known value; undefined for what is not followed. */
export function transformed(value: string, source: string): string | undefined {
  const [, operation = ""] = /^\$\{[A-Za-z_]\w*(?:\[0\])?([^$`"'\\]*)\}$/s.exec(source) ?? [];
  if (operation === "" || value.length > 4096) return undefined;
  return (
    sliced(value, operation) ?? cased(value, operation) ?? stripped(value, operation) ?? replaced(value, operation)
  );
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
  const sizes = Array.from({ length: value.length + 1 }, (_, size) => size);
  const ordered = mark.length === 2 ? sizes.reverse() : sizes;
  const atStart = mark.startsWith("#");
  const size = ordered.find((one) =>
    globFits(pattern, atStart ? value.slice(0, one) : value.slice(value.length - one)),
  );
  if (size === undefined) return value;
  return atStart ? value.slice(size) : value.slice(0, value.length - size);
}

function replaced(value: string, operation: string): string | undefined {
  const [, mark, from, to = ""] = /^(\/\/|\/[#%]?)([^/*?[\]]+)(?:\/(.*))?$/s.exec(operation) ?? [];
  if (mark === undefined || from === undefined || to.includes("&")) return undefined;
  if (mark === "//") return value.replaceAll(from, () => to);
  if (mark === "/#") return value.startsWith(from) ? to + value.slice(from.length) : value;
  if (mark === "/%") return value.endsWith(from) ? value.slice(0, -from.length) + to : value;
  return value.replace(from, () => to);
}
