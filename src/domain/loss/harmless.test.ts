import { describe, expect, test } from "vitest";
import { effectsOf } from "../../shell/effects/effects.ts";
import { readShell } from "../../shell/shell.ts";
import { lossOf } from "./judge.ts";
import { lineWitness } from "./kept-by-line.ts";

const HOME = "/home/u";
/** Work may stand in a folder for temporary files; that makes it no less work. */
const PROJECTS = ["/home/u/app", "/tmp/app", "/tmp/jobs/7/app"];

const LOST = [
  "ln -s src new && rm -rf new/a.ts",
  "rm -rf src",
  "rm -rf ../backend",
  "cd .. && rm -rf backend",
  "cd ../.. && rm -r other/src",
  'rm -rf "$PWD/../backend"',
  "python3 -c \"import shutil; shutil.rmtree('../backend')\"",
  "rm -rf /tmp /tmp/* /home/u",
  "ls | xargs rm -rf",
  "ls -d */ | xargs rm -rf",
  "ls *.csv | xargs rm",
  "find src -name '*.js' | sort | xargs rm",
  "find . -type f | grep -v node_modules | xargs rm",
  'for d in */; do rm -rf "$d"; done',
  'for d in */; do rm -rf "$d/src"; done',
  'd=src; for d in *.log; do rm -rf "$d"; done; rm -rf "$d"',
  'for d in *.log; do :; done; for d in *; do rm -rf "$d"; done',
  'cat list.txt | while read -r f; do rm -rf "$f"; done',
  "rm $(cat list.txt)",
  "rm -f *.org *.odt *.d",
  "rm notes.txt && echo a > notes.txt",
  "bash -c 'rm notes.txt; echo a > notes.txt'",
  "git clone https://x.test/y other; rm -rf src",
  "touch old.txt && rm old.txt",
  "mkdir -p old && rm -rf old",
  "exec 3> log.txt; truncate -s0 log.txt",
  "sort data.csv -o old.txt",
  "sort --output=old.txt data.csv",
  "uniq -f 1 data.csv old.txt",
  "xxd -r a.hex old.txt",
  "tar cf old.txt src",
  "tar -czf old.txt src",
  "openssl rand -out old.txt 32",
  "openssl req -new -nodes -keyout old.txt",
  "pandoc a.md -o old.txt",
  "pandoc a.md --output=old.txt",
  "ffmpeg -y -i a.mp4 old.txt",
  "gcc -o old.txt main.c",
  "python3 -m json.tool a.json old.txt",
  "pg_dump prod -f old.txt",
  "mysqldump shop --result-file=old.txt",
  "docker cp web:/etc/hosts old.txt",
  "docker save -o old.txt app",
  "kubectl cp web:/etc/hosts old.txt",
  "aws s3 cp s3://b/k old.txt",
  "scp host:a.txt old.txt",
  "rsync a.txt old.txt",
  "patch -o old.txt a.txt b.diff",
  "gpg --yes -o old.txt -d a.gpg",
  "git diff --output=old.txt",
  "git archive -o old.txt HEAD",
  "mv old.txt b && mv c old.txt && echo x > old.txt",
  "uniq old.txt old.txt",
  "jq .a data.json > new.tmp && mv new.tmp old.txt",
  "sort data.csv | sponge old.txt",
  "jq .a old.txt > new.tmp && mv other.tmp old.txt",
  "cp old.txt b && rm old.txt && rm b",
  "cp old b && rm -rf old",
  'docker run --rm -v "$PWD/src":/out alpine sh -c "rm -rf /out/*"',
  "git ls-files -o src | xargs rm",
];

const KEPT = [
  "rm -rf /tmp/test-*",
  "rm -rf /tmp/$$",
  'rm -rf "/tmp/build-$RANDOM" /var/tmp/x',
  'rm -rf "/tmp/$' + '{USER}-test"',
  "cd /tmp && rm -rf foo",
  "rm -f /tmp/*.sock",
  'python3 -c "import tempfile,shutil; d=tempfile.mkdtemp(); shutil.rmtree(d)"',
  "ruby -rtmpdir -e 'Dir.mktmpdir{|d| FileUtils.rm_rf(d)}'",
  "ls -d */node_modules | xargs rm -rf",
  "printf '%s\\n' packages/*/dist | xargs rm -rf",
  "ls | grep '\\.log$' | xargs rm",
  "find . -name '*.pyc' | grep -v venv | sort | xargs rm -f",
  "rm -rf $(find . -name node_modules -type d -prune)",
  'find . -name node_modules -prune | while read -r d; do rm -rf "$d"; done',
  'for f in $(find . -name "*.pyc"); do rm -f $f; done',
  'for d in packages/*/; do rm -rf "$d/node_modules"; done',
  'for d in */; do (cd "$d" && rm -rf node_modules); done',
  'for f in *.log; do rm "$f"; done',
  "rm -f npm-debug.log* app.log.* *.log.[0-9]* *.py[co] a.out",
  "echo hi > scratch.txt && cat scratch.txt && rm scratch.txt",
  "mkdir scratch && cd scratch && touch a && cd .. && rm -rf scratch",
  "git clone https://x.test/a/skeleton.git && rm -rf skeleton/.git",
  "git clone --depth 1 https://x.test/a/b demo; cp demo/a.txt c.txt; rm -rf demo",
  "curl -sO https://x.test/a.tar.gz && tar tzf a.tar.gz && rm a.tar.gz",
  "sort data.csv > sorted.csv && head sorted.csv && rm sorted.csv",
  "mv old.txt older.txt && echo x > old.txt",
  "cp old.txt old.bak && : > old.txt",
  "cp -r old old.bak && rm -rf old",
  "mv old.txt older.txt; sort data.csv -o old.txt",
  "sort -o old.txt old.txt",
  "sort -u --output=old.txt old.txt",
  "jq .a old.txt > new.tmp && mv new.tmp old.txt",
  "sed s/a/b/ < old.txt > new.tmp; mv new.tmp old.txt",
  "grep -v x old.txt | sort > new.tmp && mv new.tmp old.txt",
  "sort old.txt | uniq | sponge old.txt",
  "sort data.csv -o new.txt",
  "sort old.txt",
  "uniq old.txt",
  "uniq -f 1 old.txt new.txt",
  "tar cf new.tar old.txt",
  "tar tf old.txt",
  "tar -rf old.txt a",
  "openssl rand -out new.key 32",
  "openssl dgst old.txt",
  "pandoc old.txt -o new.html",
  "ffmpeg -i a.mp4 old.txt",
  "gcc old.txt -o app",
  "gcc -o old old.c",
  "python3 -m json.tool old.txt",
  "python3 -m json.tool old.txt new.json",
  "pg_dump -f new.sql prod",
  "docker cp web:/etc/hosts new.txt",
  "docker cp old.txt web:/tmp/",
  "aws s3 cp old.txt s3://b/old.txt",
  "scp old.txt host:",
  "rsync -n a.txt old.txt",
  "patch old.txt < a.diff",
  "gpg -o old.txt -d a.gpg",
  "git diff --output=new.patch",
  "pandoc a.md -o out.pdf && open out.pdf && rm out.pdf",
  'docker run --rm -v "$PWD/dist":/out alpine sh -c "rm -rf /out/*"',
  'd=$(sudo mktemp -d); rm -rf "$d"',
  'rm -rf "$(realpath "$(mktemp -d)")"',
  "git ls-files -z -o -i --exclude-standard dist | xargs -0 rm -f",
];

describe.each(PROJECTS)("in %s", (cwd) => {
  test.each(LOST)("lost: %s", async (line) => expect(await losses(line, cwd)).not.toEqual([]));
  test.each(KEPT)("kept: %s", async (line) => expect(await losses(line, cwd)).toEqual([]));
});

/** What a line would lose where `old.txt` and `old` stand and git says nothing. */
async function losses(line: string, cwd: string): Promise<string[]> {
  const shell = readShell(line, { cwd, variables: { HOME, PWD: cwd } });
  const grounds = { cwd, project: cwd, userHome: HOME, tempDir: "/tmp", folders: [] };
  const standing = new Set([`${cwd}/old.txt`, `${cwd}/old`]);
  const found: string[] = [];
  for (const effect of effectsOf(shell, { cwd, userHome: HOME })) {
    const loss = await lossOf(effect, grounds, {
      list: () => undefined,
      info: (path) => (standing.has(path) ? { kind: "file", size: 1, mtimeMs: 0, uid: 1, mode: 0o644 } : undefined),
      git: async () => ({ code: 128, stdout: "" }),
      isOurs: () => false,
      inText: () => undefined,
      ...lineWitness(shell, cwd),
    });
    if (loss !== "none") found.push(`${effect.kind} ${effect.target}`);
  }
  return found;
}
