import type { Database } from "../../../state/database.ts";
import type { Row } from "../../../state/driver.ts";
import { entriesAmong, entriesBetween, highestId, type JournalFilter } from "../../../state/journal-query.ts";
import { SearchIndex } from "../../../state/search/search-index.ts";
import type { CommandContext } from "../../command.ts";

/** The words of a search, and the file of the index. */
export interface Finder {
  readonly words: string;
  readonly file: string;
}

type Showing = Pick<CommandContext, "progress">;

/** All entries that match, oldest first. */
export function* matching(
  db: Database,
  filter: JournalFilter,
  finder: Finder | undefined,
  showing: Showing,
): Generator<Row> {
  if (finder === undefined) {
    yield* entriesBetween(db, filter, 0, highestId(db));
    return;
  }
  const ids = withIndex(db, finder, showing, (index) => [...index.find(finder.words)]);
  for (const page of ids.reverse()) yield* entriesAmong(db, filter, page.reverse());
}

/** The newest ones that match, oldest first. */
export function newestFound(
  db: Database,
  filter: JournalFilter,
  finder: Finder,
  showing: Showing,
  limit: number,
): Row[] {
  return withIndex(db, finder, showing, (index) => {
    const found: Row[] = [];
    for (const page of index.find(finder.words)) {
      found.push(...entriesAmong(db, filter, page));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit).reverse();
  });
}

function withIndex<T>(db: Database, { file }: Finder, { progress }: Showing, work: (index: SearchIndex) => T): T {
  const index = new SearchIndex(file);
  try {
    index.fill(db, (left) => progress?.(`Adding ${left} entries to the search index`));
    return work(index);
  } finally {
    index.close();
  }
}
