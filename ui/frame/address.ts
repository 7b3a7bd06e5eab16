import { signal } from "@preact/signals";

/** What is shown is a function of the address alone, so that every view can be reloaded and shared. */
interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

type Change = Readonly<Record<string, string | null>>;

export const address = signal(read());

function read(): Address {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

addEventListener("popstate", () => {
  address.value = read();
});

export function go(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  address.value = read();
}

/** The present query with some values changed; null and "" take one away. */
export function hrefWith(change: Change, path = address.value.path): string {
  const query = new URLSearchParams(address.value.query);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
  }
  return withQuery(path, query);
}

export function hrefTo(path: string, values: Readonly<Record<string, string>> = {}): string {
  return withQuery(path, new URLSearchParams(values));
}

function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Replaces the entry of the history: typing into a filter is not a way back that anybody wants. */
export function setQuery(change: Change): void {
  go(hrefWith(change), { replace: true });
}

export function fromQuery(name: string): string {
  return address.value.query.get(name) ?? "";
}

/** Links inside the page change the address without loading the page again. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.origin !== location.origin || link.target !== "" || link.hasAttribute("download")) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
