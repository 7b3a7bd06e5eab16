import { render } from "preact";
import { address, followLinks } from "./frame/address.ts";
import { startClock } from "./frame/clock.ts";
import { listenToKeys } from "./frame/keyboard.ts";
import { pageOf } from "./frame/pages.ts";
import { openStream } from "./frame/stream.ts";
import { DecisionsPage } from "./pages/decisions/page.tsx";
import { NowPage } from "./pages/now/page.tsx";
import { PerformancePage } from "./pages/performance/page.tsx";
import { PoliciesPage } from "./pages/policies/page.tsx";
import { ReplayPage } from "./pages/replay/page.tsx";
import { TimelinePage } from "./pages/timeline/page.tsx";
import { WorkPage } from "./pages/work/page.tsx";
import { Help } from "./parts/help.tsx";
import { Navigation } from "./parts/navigation.tsx";
import { Empty } from "./parts/small.tsx";

const SHOWN = {
  Now: NowPage,
  Decisions: DecisionsPage,
  Timeline: TimelinePage,
  Policies: PoliciesPage,
  Work: WorkPage,
  Performance: PerformancePage,
  Replay: ReplayPage,
} as const;

function App() {
  const name = pageOf(address.value.path)?.name;
  const Page = SHOWN[name as keyof typeof SHOWN] ?? NotFound;
  document.title = name === undefined ? "Hookwright" : `${name} · Hookwright`;
  return (
    <>
      <Navigation />
      <main key={name}>
        <Page />
      </main>
      <Help />
    </>
  );
}

function NotFound() {
  return (
    <Empty title="There is no such page.">
      <a href="/">Show what happens now</a>
    </Empty>
  );
}

followLinks();
listenToKeys();
startClock();
openStream();
render(<App />, document.body);
