// The part of docs/performance.md that says how the numbers came about and what they are worth.
import { markdownTable } from "./wording.mjs";

export function measured(reference, results) {
  const { machine, kernel, hookwright } = reference;
  const rows = results.flatMap(({ node, hookwright: { build }, sections }) =>
    Object.entries(sections).map(([name, { at, rounds, load, missNs }]) => [
      `${name}, Node ${node}`,
      build,
      at.slice(0, 16).replace("T", " "),
      rounds === undefined ? "" : String(rounds),
      load.join(" / "),
      missNs ? `${missNs.join(" / ")} ns` : "",
    ]),
  );
  return `## How it was measured

${machine.cores} cores of ${machine.cpu}, ${Math.round(machine.memoryMB / 1024)} GB, ${kernel}; Hookwright ${hookwright.version}. The load is the system's one-minute average before and
after, the section's own work included; on ${machine.cores} cores more than ${machine.cores} means that something had to wait. A cache miss is one look
at memory, before and after. Neighbours on the machine make it slower, and it is most of what an event after a pause takes.

${markdownTable(["section", "build", "when (UTC)", "rounds", "load", "cache miss"], rows)}

Programs are started by a small C program with \`posix_spawn\`, get the event through a pipe, and are timed until they are
reaped. Every answer is checked: a row that did not decide as it should, or an event that is missing in the journal or in
the daemon's count, ends the run. Everything happens in a scratch home with the layout that the installer makes.`;
}

export function reproduce() {
  return `## Doing it again

\`\`\`sh
npm run bench -- --publish                 # everything, and this page; some minutes and gigabytes in /tmp, removed afterwards
npm run bench -- --quick                   # a minute, to see that it works
npm run bench -- --only start --node /path/to/another/node --save
node bench/document.mjs                    # writes this page from what was saved
\`\`\`

It needs Linux and a C compiler; \`--peers\` also the npm registry. The packages are unpacked, never installed into an
agent, and fed one harmless event in a home of their own.`;
}

export function caveats({ machine }) {
  return `## What these numbers are not

- **Not your machine.** They are from one virtual machine with ${machine.cores} cores that had other work too. Multiples of \`node -e 0\`
  travel better than milliseconds.
- **Not the whole wait.** The agent's own work around a hook is not in them. Agents may also start a hook through a shell,
  which costs about a millisecond more.
- **Not every event.** They are tool calls of a kilobyte. A decision that has to ask git or tmux costs what those cost; it
  is asked only where a policy needs it.
- **Not the first event of the day.** After half an hour without events the daemon ends. The next event is answered cold
  while a new daemon starts.
- **Not a promise about p99 on a busy machine.** A daemon that gets no core answers late, and so does everything else.
- The loop of the decision alone is the best case: caches and compiler are warm. The rows with pauses between the events
  are what an agent meets.
- Node 20 has no SQLite of its own. There the package \`libsql\` is loaded, which makes a cold start slower; its budget is
  not enforced.`;
}
