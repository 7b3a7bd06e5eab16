import { address } from "../frame/address.ts";
import { isHelpOpen } from "../frame/keyboard.ts";
import { PAGES, pageOf } from "../frame/pages.ts";
import { nowPage, staleSince } from "../frame/stream.ts";
import { clockTime } from "../frame/wording.ts";

export function Navigation() {
  const here = pageOf(address.value.path);
  const waiting = nowPage.value?.sessions.filter(({ state }) => state === "waiting").length ?? 0;
  return (
    <header class="navigation">
      <a class="brand" href="/">
        <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
          <path d="M5 2v7a3 3 0 0 0 6 0V7" />
        </svg>
        Hookwright
      </a>
      <nav aria-label="Pages">
        {PAGES.map((page) => (
          <a key={page.path} href={page.path} title={`g ${page.key}`} aria-current={page === here ? "page" : undefined}>
            <span>{page.name}</span>
            {page.path === "/" && waiting > 0 && <span class="badge">{waiting}</span>}
          </a>
        ))}
      </nav>
      <div class="foot">
        <Connection />
        <button
          type="button"
          class="quiet"
          onClick={() => {
            isHelpOpen.value = true;
          }}
        >
          Keys <kbd>?</kbd>
        </button>
      </div>
    </header>
  );
}

function Connection() {
  const since = staleSince.value;
  return (
    <span role="status" class={`connection${since === undefined ? "" : " is-stale"}`}>
      {since === undefined ? "live" : `stale since ${clockTime(since)}`}
    </span>
  );
}
