import { signal } from "@preact/signals";
import { go } from "./address.ts";
import { PAGES } from "./pages.ts";

export const isHelpOpen = signal(false);

/** The list that j, k and Enter work on: the one that was shown last. */
interface KeyTarget {
  move(by: number): void;
  open(): void;
  close?(): void;
}
let target: KeyTarget | undefined;
let isGoing = false;

/** Returns the function that gives the keys back. */
export function takeKeys(next: KeyTarget): () => void {
  const before = target;
  target = next;
  return () => {
    if (target === next) target = before;
  };
}

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") !== null) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    if (handle(event.key, event.target)) event.preventDefault();
  });
}

function isTyping(element: EventTarget | null): boolean {
  return element instanceof Element && element.closest("input, textarea, select") !== null;
}

function handle(key: string, element: EventTarget | null): boolean {
  if (isGoing) {
    isGoing = false;
    const page = PAGES.find((one) => one.key === key);
    if (page !== undefined) go(page.path);
    return page !== undefined;
  }
  switch (key) {
    case "g":
      isGoing = true;
      return true;
    case "?":
      isHelpOpen.value = true;
      return true;
    case "/":
      return focusSearch();
    case "j":
      target?.move(1);
      return target !== undefined;
    case "k":
      target?.move(-1);
      return target !== undefined;
    case "Escape":
      target?.close?.();
      return target?.close !== undefined;
    case "Enter":
      // A focused link or button does its own thing.
      if (element instanceof Element && element.closest("a, button, summary") !== null) return false;
      target?.open();
      return target !== undefined;
    default:
      return false;
  }
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("input[type=search]");
  field?.focus();
  field?.select();
  return field !== null;
}
