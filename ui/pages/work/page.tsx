import type { WorkPage as Work, WorkTask } from "../../../src/daemon/dashboard/api.ts";
import { fromQuery, hrefTo } from "../../frame/address.ts";
import { useResource } from "../../frame/resource.ts";
import { counted } from "../../frame/wording.ts";
import { Mark } from "../../parts/mark.tsx";
import { QueryChoice } from "../../parts/query-fields.tsx";
import { Empty, Meter, Pending, Project, Since, shortSession } from "../../parts/small.tsx";
import { Board } from "./board.tsx";
import { TaskList } from "./task-list.tsx";

export function WorkPage() {
  const work = useResource<Work>("/api/work", { follow: true });
  const { data } = work;
  const chosen = fromQuery("project");
  const projects = [...new Set((data ? [...data.plans, ...data.boards] : []).map(({ project }) => project))].sort();
  const isChosen = ({ project }: { project: string }): boolean => chosen === "" || project === chosen;
  const isEmpty = data && data.plans.length + data.modes.length + data.teams.length + data.boards.length === 0;
  return (
    <div class="page scrolls">
      <div class="bar">
        <h1>Work</h1>
        {projects.length > 1 && (
          <QueryChoice name="project" options={[["", "all"], ...projects.map((path) => [path, path] as const)]} />
        )}
      </div>
      <Pending of={work} />
      {isEmpty && (
        <Empty title="No plan, mode, team or board is at work.">
          Begin one with <code>hookwright plan start FILE</code> or <code>hookwright mode start</code>.
        </Empty>
      )}
      {data?.plans.filter(isChosen).map((plan) => (
        <section key={plan.file} class="block">
          <h2>
            {plan.name} <Progress tasks={plan.tasks} />
          </h2>
          <p class="muted">
            Plan in <Project path={plan.project} />: <code>{plan.file}</code>
          </p>
          <TaskList tasks={plan.tasks} />
        </section>
      ))}
      {data !== undefined && data.modes.length > 0 && <Modes modes={data.modes} />}
      {data !== undefined && data.teams.length > 0 && <Teams teams={data.teams} />}
      {data?.boards.filter(isChosen).map((board) => (
        <section key={board.project} class="block">
          <h2>
            Board of <Project path={board.project} /> <Progress tasks={board.tasks} />
          </h2>
          <Board tasks={board.tasks} />
        </section>
      ))}
    </div>
  );
}

const DONE = new Set(["done", "complete", "completed", "verified"]);

function Progress({ tasks }: { tasks: readonly WorkTask[] }) {
  const done = tasks.filter(({ state }) => DONE.has(state)).length;
  return (
    <small class="muted number">
      {done} of {counted(tasks.length, "task")} done {tasks.length > 0 && <Meter share={done / tasks.length} />}
    </small>
  );
}

function Modes({ modes }: { modes: Work["modes"] }) {
  return (
    <section class="block">
      <h2>Modes</h2>
      <ul class="rows">
        {modes.map((mode) => (
          <li key={mode.mode + mode.session}>
            <Mark word={mode.state} />
            <b>{mode.mode}</b>
            <span class="number">
              round {mode.round} of {mode.limit}
            </span>
            {mode.phase !== "" && <span class="tag">{mode.phase}</span>}
            <span class="grow">{mode.request}</span>
            <a href={hrefTo("/", { session: mode.session })}>
              <code>{shortSession(mode.session)}</code>
            </a>
            <span class="muted number">
              <Since at={mode.since} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Teams({ teams }: { teams: Work["teams"] }) {
  return (
    <section class="block">
      <h2>Teams</h2>
      <ul class="rows">
        {teams.map((team) => (
          <li key={team.team}>
            <b>{team.team}</b>
            <span class="muted">led by {team.lead || "nobody"}</span>
            {team.members.map((member) => (
              <a key={member.name} class="tag" href={hrefTo("/", { session: member.session })}>
                <Mark word={member.state} /> {member.name}
              </a>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
