export interface PageName {
  readonly path: string;
  readonly name: string;
  /** Pressed after `g`. */
  readonly key: string;
}

export const PAGES: readonly PageName[] = [
  { path: "/", name: "Now", key: "n" },
  { path: "/decisions", name: "Decisions", key: "d" },
  { path: "/timeline", name: "Timeline", key: "t" },
  { path: "/policies", name: "Policies", key: "p" },
  { path: "/work", name: "Work", key: "w" },
  { path: "/performance", name: "Performance", key: "f" },
  { path: "/replay", name: "Replay", key: "r" },
];

/** The page to which a path belongs; `/decisions/12` belongs to the decisions. */
export function pageOf(path: string): PageName | undefined {
  return PAGES.find((page) => page.path === path || (page.path !== "/" && path.startsWith(`${page.path}/`)));
}
