import { effect, type Family } from "../../effect.ts";
import { readLoosely } from "../../loose-options.ts";
import { PACKAGE } from "./phrases.ts";

/** Tasks of any project below that release something. */
export const gradlePublications: Family = (command) => {
  const tasks = readLoosely(
    command.argv.slice(1),
    "p project-dir b build-file c settings-file I init-script x exclude-task",
  ).operands;
  const dry = command.args.some((word) => word === "-m" || word === "--dry-run");
  const task = tasks.find(
    ({ text }) =>
      /(?:^|:)(?:publish|uploadArchives|closeAndRelease|bintrayUpload)/.test(text) && !/MavenLocal/.test(text),
  );
  return task && !dry ? [effect("publish", command, PACKAGE, { target: task.text })] : [];
};
