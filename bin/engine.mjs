#!/usr/bin/env node
// The short form of `hookwright session`: `engine session …`, `engine log …`, `engine tag …`.
const [word, ...rest] = process.argv.slice(2);
const words = word === "session" || word === undefined || word === "--help" || word === "-h" ? [] : [word];
const help = word === undefined || word === "--help" || word === "-h" ? ["--help"] : [];
if (word !== undefined && !["session", "log", "tag", "--help", "-h"].includes(word)) {
  process.stderr.write(
    `engine: there is no \`${word}\`. It knows \`session\`, \`log\` and \`tag\`; see \`engine --help\`.\n`,
  );
  process.exitCode = 1;
} else {
  process.argv = [...process.argv.slice(0, 2), "session", ...words, ...rest, ...help];
  await import("./hookwright.mjs");
}
