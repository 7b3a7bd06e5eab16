import type { PerformancePage as Performance } from "../../../src/daemon/dashboard/api.ts";
import { LineChart } from "../../charts/line-chart.tsx";
import { fromQuery, hrefTo } from "../../frame/address.ts";
import { useResource } from "../../frame/resource.ts";
import { microseconds, whole } from "../../frame/wording.ts";
import { Numbers } from "../../parts/numbers.tsx";
import { QueryChoice } from "../../parts/query-fields.tsx";
import { Empty, Meter, Pending } from "../../parts/small.tsx";
import { Table } from "../../parts/table.tsx";
import { Row } from "../decisions/row.tsx";

const HOURS = [
  ["", "24 hours"],
  ["1", "1 hour"],
  ["168", "7 days"],
] as const;

export function PerformancePage() {
  const hours = fromQuery("hours") || "24";
  const performance = useResource<Performance>(hrefTo("/api/performance", { hours }), { follow: true });
  const { data } = performance;
  return (
    <div class="page scrolls">
      <div class="bar">
        <h1>Performance</h1>
        <QueryChoice name="hours" label="last" options={HOURS} />
      </div>
      <Pending of={performance} />
      {data?.events === 0 && (
        <Empty title="Nothing was decided in this time.">
          Choose a longer time, or measure one event with <code>hookwright doctor</code>.
        </Empty>
      )}
      {data !== undefined && data.events > 0 && <Measured data={data} />}
    </div>
  );
}

function Measured({ data }: { data: Performance }) {
  const times = data.points.map(({ at }) => at);
  const total = data.byPolicy.reduce((sum, one) => sum + one.total, 0);
  return (
    <>
      <Numbers
        of={[
          ["events", whole(data.events)],
          ["p50", microseconds(data.p50)],
          ["p99", microseconds(data.p99)],
        ]}
      />
      <div class="charts">
        <LineChart
          title="Time of a decision"
          times={times}
          format={microseconds}
          lines={[
            { name: "p99", values: data.points.map(({ p99 }) => p99) },
            { name: "p50", values: data.points.map(({ p50 }) => p50) },
          ]}
        />
        <LineChart
          title="Events"
          times={times}
          format={whole}
          isBars
          lines={[{ name: "in each interval", values: data.points.map(({ events }) => events) }]}
        />
      </div>
      <section class="block">
        <h2>The slowest decisions</h2>
        {data.slowest.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </section>
      <section class="block">
        <h2>Where the time of the policies went</h2>
        <Table
          class="by-policy"
          columns={["policy", "share", ">total", ">calls", ">p99"]}
          rows={data.byPolicy.map((one) => [
            <a href={hrefTo("/policies", { search: one.policy })}>{one.policy}</a>,
            <Meter share={one.total / Math.max(1, total)} />,
            microseconds(one.total),
            whole(one.calls),
            microseconds(one.p99),
          ])}
        />
      </section>
    </>
  );
}
