import { describe, expect, test } from "vitest";
import { readShell } from "../../shell/shell.ts";
import { effectsOf } from "../effects.ts";

function kinds(line: string): readonly string[] {
  const shell = readShell(line, { cwd: "/w", variables: { HOME: "/home/u" } });
  expect(shell.unreadable).toBeUndefined();
  return effectsOf(shell, { cwd: "/w", userHome: "/home/u" }).map(({ kind }) => kind);
}

describe("a database that the line itself made", () => {
  test.each([
    'createdb "t_$$" && npm test && dropdb "t_$$"',
    "DB=app_ci_$RANDOM && createdb $DB && DATABASE_URL=postgres://localhost/$DB npm test && dropdb $DB",
    'DB=u_$(uuidgen); createdb "$DB"; npm test; dropdb --if-exists "$DB"',
    'mysql -e "create database t_$$"; npm test; mysql -e "drop database t_$$"',
    "set -o errexit; createdb probe_l; npm test; dropdb probe_l",
    "set -e; createdb probe_l; trap 'dropdb probe_l' EXIT; npm test",
    "bash -ec 'createdb probe_l; npm test; dropdb probe_l'",
    "mysqladmin create probe_n && mysqladmin -f drop probe_n",
  ])("is no loss: %s", (line) => {
    expect(kinds(line)).not.toContain("destroy-database");
  });
});

describe("a database that may have been there", () => {
  test.each([
    "createdb orders $(dropdb orders)",
    'DB=x_$$; createdb "$DB"; source prod.env; dropdb "$DB"',
    'DB=y_$$; createdb "$DB"; trap \'dropdb "$DB"\' EXIT; read DB; npm test',
    'DB=y_$$; createdb "$DB"; trap \'dropdb "$DB"\' EXIT; DB=prod',
    'createdb "$DB" && dropdb "$DB"',
    "createdb probe_g && export PGHOST=db.internal && dropdb probe_g",
    "createdb probe_g && trap 'dropdb probe_g' EXIT && export PGHOST=db.internal",
    'createdb probe_g && psql -h db.internal -c "drop database probe_g"',
    'createdb probe_g; psql -c "drop database probe_g"',
    "mysqladmin create probe_h; mysqladmin -f drop probe_h",
    "set -e; createdb probe_i && npm test; dropdb probe_i",
    "set -e; createdb probe_i || true; dropdb probe_i",
    "set -e; if createdb probe_i; then :; fi; dropdb probe_i",
    "set -e; ! createdb probe_i; dropdb probe_i",
    "set -e; createdb probe_i & dropdb probe_i",
    "set -e; createdb probe_i; set +e; createdb probe_j; dropdb probe_j",
    'bash -c "createdb probe_k; true" && dropdb probe_k',
    "createdb probe_k; for i in 1; do dropdb probe_k; done",
    "createdb x && dropdb prod",
    "set -e; npm test && createdb x; dropdb x",
    "f() { createdb x; foo; }; set -e; f || true; dropdb x",
    "set -e; eval 'createdb x; foo' && dropdb x",
    'mysql -e "create database $X -- $$"; mysql -e "drop database $X -- $$"',
  ])("is lost: %s", (line) => {
    expect(kinds(line)).toContain("destroy-database");
  });
});

test("a commit in between keeps a new branch from being empty, wherever it stands", () => {
  const line = "set -e; git checkout -b x; git add . && git commit -m y; git checkout -; git branch -D x";
  expect(kinds(line)).toContain("rewrite-history");
  expect(kinds("set -e; git branch x; ls; git branch -D x")).not.toContain("rewrite-history");
});
