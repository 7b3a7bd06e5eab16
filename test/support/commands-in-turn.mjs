// Runs several commands of the built command line one after the other in this process, which it gets as a JSON list of
// argument lists on standard input, and prints how each of them ended.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [dist] = process.argv.slice(2);
const { main } = await import(pathToFileURL(path.join(dist, "cli.mjs")).href);
const runs = JSON.parse(fs.readFileSync(0, "utf8"));
const print = process.stdout.write.bind(process.stdout);
// Each command listens for errors of standard output once more.
process.stdout.setMaxListeners(0);

const answers = [];
for (const args of runs) {
  const answer = { exit: 0, stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    process[name].write = (text) => {
      answer[name] += text;
      return true;
    };
  }
  answer.exit = await main(args);
  answers.push(answer);
}
print(JSON.stringify(answers));
