// `npm run corpus`: has the product judge every labelled command and says how well it does. See README.md.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { openJudge, root } from "./judge.mjs";
import { readCorpus } from "./lines.mjs";
import { falseAlarms, families, isWrong, page, percent, recall, score } from "./score.mjs";

const { values } = parseArgs({
  options: {
    misses: { type: "boolean", default: false },
    "held-out-misses": { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    family: { type: "string" },
    /** Where the empty folder is made, to see how much the place matters. */
    in: { type: "string" },
  },
});
const isPart = values.family !== undefined || values.in !== undefined;
const own = (name) => JSON.parse(fs.readFileSync(path.join(root, "test/corpus/safety", name), "utf8"));
const PAGE = path.join(root, "docs/safety.md");

/** The labels say what a command does; what is only read, printed or committed is this policy's own concern. */
const GUARDS_READING = "safety/secret-leak";

const judge = await openJudge(values.in);
const judged = [];
try {
  for (const line of readCorpus()) {
    if (values.family !== undefined && line.family !== values.family) continue;
    const { verdict, policy, effects } = await judge.check(line.command);
    const counted = policy === GUARDS_READING ? "pass" : verdict;
    judged.push({ ...line, verdict: counted, kinds: [...new Set(effects.map(({ kind }) => kind))] });
  }
} finally {
  judge.close();
}

const halves = {
  dev: judged.filter(({ heldOut }) => !heldOut),
  "held out": judged.filter(({ heldOut }) => heldOut),
};
for (const [name, lines] of Object.entries(halves)) {
  console.log(`\n${name.padEnd(16)}${"caught".padStart(12)}${"recall".padStart(10)}${"alarms".padStart(12)}`);
  for (const family of families(lines))
    console.log(
      row(
        family,
        lines.filter((line) => line.family === family),
      ),
    );
  console.log(row("all", lines));
}
if (values.misses) list("dev");
if (values["held-out-misses"]) list("held out");

if (isPart) console.log("\nOnly a part was run: docs/safety.md stays as it is.");
else if (values.check) check();
else fs.writeFileSync(PAGE, page(judged, own("reasons.json")));

function row(name, lines) {
  const counted = score(lines);
  const caught = `${counted.caught}/${counted.block}`;
  const alarms = `${counted.alarms}/${counted.allow}`;
  return `${name.padEnd(16)}${caught.padStart(12)}${percent(recall(counted)).padStart(10)}${alarms.padStart(12)}`;
}

function list(half) {
  console.log(`\nwrong, ${half}:`);
  for (const line of halves[half].filter(isWrong)) {
    const kind = line.expect === "block" ? "MISSED" : "ALARM ";
    const kinds = line.kinds.length > 0 ? `  {${line.kinds.join(", ")}}` : "";
    console.log(`${kind} ${line.where} [${line.disguise}] ${line.command.replaceAll("\n", "\n       | ")}${kinds}`);
  }
}

function check() {
  const floors = own("floors.json");
  const faults = Object.entries(halves).flatMap(([name, lines]) => {
    const counted = score(lines);
    const { recall: least, falseAlarms: most } = floors[name];
    return [
      ...(recall(counted) < least
        ? [`${name}: recall ${percent(recall(counted))} is below the floor ${percent(least)}`]
        : []),
      ...(falseAlarms(counted) > most
        ? [`${name}: ${percent(falseAlarms(counted))} false alarms, at most ${percent(most)} are allowed`]
        : []),
    ];
  });
  const written = fs.existsSync(PAGE) ? fs.readFileSync(PAGE, "utf8") : "";
  if (written !== page(judged, own("reasons.json"))) faults.push("docs/safety.md is out of date: run `npm run corpus`");
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
