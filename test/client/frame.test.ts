import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect } from "vitest";
import {
  answer,
  BUILD,
  clients,
  decodeFrame,
  defaultHome,
  encodeReply,
  field,
  listen,
  type Place,
  type RunOptions,
  run,
  runDir,
  socketPath,
  test,
  unavailable,
  wholeFrame,
} from "./harness.ts";

const FINE = answer(encodeReply(0, "ok", ""));
const envOf = (fields: readonly string[]) => fields.filter((text) => text.startsWith("env."));

const MEGABYTE = Buffer.from(Uint8Array.from({ length: 1 << 20 }, (_, i) => i * 7 + (i >> 8)));
const megabytes = (n: number) => Buffer.concat(Array<Buffer>(n).fill(MEGABYTE));

/** Gives the bytes to the client as a regular file. */
function asFile(place: Place, write: (fd: number) => void): RunOptions {
  const file = path.join(place.root, "input");
  const fd = fs.openSync(file, "w");
  write(fd);
  fs.closeSync(fd);
  return { stdin: fs.openSync(file, "r") };
}

describe.concurrent.each(clients)("the frame of $name", (client) => {
  describe.skipIf(unavailable(client))("sent", () => {
    test("carries the header in its fixed order, then arguments, then the environment", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, FINE);
      fs.writeFileSync(path.join(place.dist, "env.list"), "HOME\n");
      const before = Date.now();
      const args = ["--event", "PreToolUse", "", "--x=ü \n", "--deadline-ms", "5000"];
      const done = await run(client, place, args, { stdin: "{}" });
      expect(done.stdout.toString()).toBe("ok");
      const [frame] = daemon.frames;
      if (!frame) throw new Error("no frame came");
      const names = frame.fields.map((text) => text.slice(0, text.indexOf("=")));
      const expected = [
        "nonce",
        "build",
        "home",
        "deadline",
        "cwd",
        "ppid",
        "waits",
        ...args.map(() => "arg"),
        "env.HOME",
      ];
      expect(names).toEqual(expected);
      expect(field(frame, "nonce")).toMatch(/^[0-9a-f]{32}$/);
      expect(field(frame, "build")).toBe(BUILD);
      expect(field(frame, "home")).toBe(defaultHome(place));
      const deadline = Number(field(frame, "deadline"));
      expect(deadline).toBeGreaterThanOrEqual(before + 5000);
      expect(deadline).toBeLessThanOrEqual(Date.now() + 5000);
      expect(field(frame, "cwd")).toBe(place.root);
      expect(field(frame, "ppid")).toBe(String(process.pid));
      expect(frame.fields.slice(7, -1)).toEqual(args.map((arg) => `arg=${arg}`));
      expect(frame.fields.at(-1)).toBe(`env.HOME=${place.user}`);
      expect(frame.body.toString()).toBe("{}");
    });

    test("has another nonce every time", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, FINE);
      await Promise.all([run(client, place), run(client, place), run(client, place)]);
      expect(new Set(daemon.frames.map((frame) => field(frame, "nonce"))).size).toBe(3);
    });

    test.for([
      ["9", 4000],
      ["600001", 4000],
      ["12x", 4000],
      ["", 4000],
      ["600000", 600_000],
      ["400", 400],
    ] as const)("--deadline-ms %j means %i ms", async ([given, expected], { makePlace }) => {
      const place = makePlace();
      const before = Date.now();
      const done = await run(client, place, ["--no-daemon", "--deadline-ms", given]);
      const deadline = Number(field(wholeFrame(done.stdout), "deadline"));
      expect(deadline - expected).toBeGreaterThanOrEqual(before);
      expect(deadline - expected).toBeLessThanOrEqual(Date.now());
    });

    test("takes from the environment what env.list names and nothing else", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, FINE);
      const list = "# comment\n\nEXACT\r\nPRE_*\nHOOKWRIGHT_*\n!PRE_TOKEN\nEMPTY\n#OTHER\n!HOOKWRIGHT_SECRET*\nLAST";
      fs.writeFileSync(path.join(place.dist, "env.list"), list);
      const env = {
        EXACT: "a=b\nc",
        EXACTLY: "no",
        EXAC: "no",
        PRE_: "1",
        PRE_X: "2",
        PRE: "no",
        PRE_TOKEN: "no",
        EMPTY: "",
        OTHER: "no",
        LAST: "é",
        HOOKWRIGHT_CRASH_POINT: "here",
        HOOKWRIGHT_SECRETS: "no",
      };
      await run(client, place, [], { env });
      const expected = ["EXACT=a=b\nc", "PRE_=1", "PRE_X=2", "EMPTY=", "LAST=é", "HOOKWRIGHT_CRASH_POINT=here"];
      expect(envOf(daemon.frames[0]?.fields ?? []).sort()).toEqual(expected.map((text) => `env.${text}`).sort());
    });

    test("carries no environment without env.list", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, FINE);
      await run(client, place, [], { env: { HOOKWRIGHT_X: "1" } });
      expect(daemon.frames.map((frame) => envOf(frame.fields))).toEqual([[]]);
    });

    test.for<[string, Buffer]>([
      ["empty", Buffer.alloc(0)],
      ["1 kB", Buffer.from(`{"a":"${"x".repeat(1000)}"}`)],
      ["not UTF-8", Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80])],
      ["NUL bytes", Buffer.from("a\0\0b\0")],
      ["10 MB", megabytes(10)],
      ["60 MB", megabytes(60)],
    ])("keeps the body byte for byte: %s", async ([_name, body], { makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, FINE);
      const done = await run(client, place, [], { stdin: body });
      expect(done.stdout.toString()).toBe("ok");
      expect(daemon.frames.map((frame) => frame.body.equals(body))).toEqual([true]);
    });

    test("reads a file, the null device and a closed descriptor", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, FINE);
      await run(
        client,
        place,
        [],
        asFile(place, (fd) => fs.writeSync(fd, "from a file")),
      );
      await run(client, place, [], { stdin: "ignore" });
      await run(client, place, [], { through: ["/bin/sh", "-c", 'exec "$@" <&-', "sh"] });
      expect(daemon.frames.map((frame) => frame.body.toString())).toEqual(["from a file", "", ""]);
      expect(daemon.frames.map((frame) => field(frame, "cut"))).toEqual([undefined, undefined, undefined]);
    });

    test("says so when standard input is larger than 64 MiB, and sends none of it", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, FINE);
      const sized = (bytes: number) => asFile(place, (fd) => fs.ftruncateSync(fd, bytes));
      await run(client, place, [], sized(64 * 1024 * 1024));
      await run(client, place, [], sized(64 * 1024 * 1024 + 1));
      expect(daemon.frames.map((frame) => frame.body.length)).toEqual([64 * 1024 * 1024, 0]);
      expect(daemon.frames.map((frame) => field(frame, "cut"))).toEqual([undefined, "too-large"]);
    });

    test("is sent before the deadline when standard input never closes", async ({ makePlace }) => {
      const place = makePlace();
      const done = await run(client, place, ["--no-daemon", "--deadline-ms", "2400"], {
        stdin: "half",
        keepOpen: true,
      });
      const frame = wholeFrame(done.stdout);
      expect(field(frame, "cut")).toBe("timeout");
      expect(frame.fields.indexOf("cut=timeout")).toBe(7);
      expect(frame.body.toString()).toBe("half");
      expect(Number(done.stderr.replace("cold ", ""))).toBeLessThan(Number(field(frame, "deadline")));
    });

    test("has an empty cwd when the directory is gone", async ({ makePlace }) => {
      const place = makePlace();
      const daemon = await listen(place, FINE);
      const gone = path.join(place.root, "gone");
      fs.mkdirSync(gone);
      const through = ["/bin/sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh"];
      const done = await run(client, place, [], { cwd: gone, through });
      expect(done.stderr).toBe("");
      expect(daemon.frames.map((frame) => field(frame, "cwd"))).toEqual([""]);
    });
  });

  describe.skipIf(unavailable(client))("and its home", () => {
    test("is the one an installed client lies in, whatever the environment says", async ({ makePlace }) => {
      const place = makePlace("own/versions/1.0.0-abc");
      const home = path.join(place.root, "own");
      const daemon = await listen(place, FINE, socketPath(place, home));
      await run(client, place, [], { env: { HOOKWRIGHT_HOME: "/elsewhere" } });
      expect(daemon.frames.map((frame) => field(frame, "home"))).toEqual([home]);
    });

    test("holds when it is started through a symbolic link", async ({ makePlace }) => {
      const place = makePlace("own/versions/1.0.0-abc");
      const daemon = await listen(place, FINE, socketPath(place, path.join(place.root, "own")));
      fs.symlinkSync(place.dist, path.join(place.root, "link"));
      await run(client, { ...place, dist: path.join(place.root, "link") });
      expect(daemon.connections).toBe(1);
    });

    test("is HOOKWRIGHT_HOME for others, if absolute", async ({ makePlace }) => {
      const place = makePlace();
      const set = await listen(place, FINE, socketPath(place, "/some/home"));
      await run(client, place, [], { env: { HOOKWRIGHT_HOME: "/some/home" } });
      expect(set.frames.map((frame) => field(frame, "home"))).toEqual(["/some/home"]);
      const unset = await listen(place, FINE);
      await run(client, place, [], { env: { HOOKWRIGHT_HOME: "some/home" } });
      expect(unset.frames.map((frame) => field(frame, "home"))).toEqual([defaultHome(place)]);
    });

    test("has one name, however it is spelt", async ({ makePlace }) => {
      const place = makePlace();
      const [home, link] = [path.join(place.root, "home"), path.join(place.root, "link")];
      fs.mkdirSync(home);
      fs.symlinkSync(home, link);
      const daemon = await listen(place, FINE, socketPath(place, home));
      const names = [home, `${home}/`, `${home}//`, `${place.root}//home`, `${home}/../home`, link, `${link}/`];
      for (const name of names) await run(client, place, [], { env: { HOOKWRIGHT_HOME: name } });
      expect(daemon.frames.map((frame) => field(frame, "home"))).toEqual(names.map(() => home));
    });

    test("has no slash at its end before it exists, and may be the root", async ({ makePlace }) => {
      const place = makePlace();
      const homes = [];
      for (const name of [`${place.root}/none//`, "/"]) {
        const done = await run(client, place, ["--no-daemon"], { env: { HOOKWRIGHT_HOME: name } });
        homes.push(field(wholeFrame(done.stdout), "home"));
      }
      expect(homes).toEqual([`${place.root}/none`, "/"]);
    });

    test("is found behind a link to the person's own directory", async ({ makePlace }) => {
      const place = makePlace();
      const link = path.join(place.root, "link");
      fs.symlinkSync(place.user, link);
      fs.mkdirSync(defaultHome(place), { recursive: true });
      const daemon = await listen(place, FINE);
      await run(client, place, [], { env: { HOME: `${link}/` } });
      expect(daemon.frames.map((frame) => field(frame, "home"))).toEqual([defaultHome(place)]);
    });

    test("comes from the system when HOME is missing", async ({ makePlace }) => {
      const place = makePlace();
      const done = await run(client, place, ["--no-daemon", "--a"], { env: { HOME: "" }, stdin: "body" });
      const frame = wholeFrame(done.stdout);
      expect(field(frame, "home")).toMatch(/^\/.*\/\.local\/share\/hookwright$/);
      expect(frame.fields.filter((text) => text.startsWith("arg="))).toEqual(
        ["--no-daemon", "--a", "--deadline-ms", "30000"].map((arg) => `arg=${arg}`),
      );
      expect(frame.body.toString()).toBe("body");
    });

    test("means no daemon when the socket's path would be too long", async ({ makePlace }) => {
      const place = makePlace();
      const long = { ...place, run: path.join(place.root, "r".repeat(107)) };
      fs.mkdirSync(runDir(long), { recursive: true, mode: 0o700 });
      const done = await run(client, long);
      expect(decodeFrame(done.stdout)).toBeDefined();
      expect(fs.readdirSync(runDir(long))).toEqual([]);
    });
  });
});

describe("hook.cjs as a module", () => {
  const script = path.resolve(import.meta.dirname, "../../client/hook.cjs");
  const hook: {
    socketPathFor(home: string, build: string, env: Record<string, string>): string | undefined;
    homeFor(dir: string, env: Record<string, string>): string;
  } = createRequire(import.meta.url)(script);

  test("finds the socket by FNV-1a of build and home", () => {
    // FNV-1a of "\n" alone, computed by hand: the offset basis, xor 10, times the prime.
    const newline = ((0xcbf29ce484222325n ^ 10n) * 0x100000001b3n) & 0xffffffffffffn;
    expect(hook.socketPathFor("", "", {})).toBe(`/tmp/hookwright-${process.getuid?.()}/${newline.toString(16)}.sock`);
    const place: Place = { root: "/", dist: "/", user: "/u", run: "/run", cleanups: [] };
    expect(hook.socketPathFor("/h", BUILD, { XDG_RUNTIME_DIR: "/run" })).toBe(socketPath(place, "/h"));
    expect(hook.socketPathFor("/h", BUILD, { XDG_RUNTIME_DIR: "run" })).toMatch(/^\/tmp\/hookwright-/);
  });

  test("never returns a path that a socket address cannot hold", () => {
    const fixed = hook.socketPathFor("/h", BUILD, { XDG_RUNTIME_DIR: "/" })?.length ?? 0;
    const limit = process.platform === "darwin" ? 103 : 107;
    const base = `/${"x".repeat(limit - fixed)}`;
    expect(hook.socketPathFor("/h", BUILD, { XDG_RUNTIME_DIR: base })).toHaveLength(limit);
    expect(hook.socketPathFor("/h", BUILD, { XDG_RUNTIME_DIR: `${base}x` })).toBeUndefined();
  });

  test.for([
    ["/a/versions/1", "/a"],
    ["/a/b/versions/1", "/a/b"],
    ["/versions/1", "/env"],
    ["/a/versions", "/env"],
    ["/a/versions/1/2", "/env"],
    ["/a/xversions/1", "/env"],
  ] as const)("the home of a client in %s is %s", ([dir, home]) => {
    expect(hook.homeFor(dir, { HOOKWRIGHT_HOME: "/env" })).toBe(home);
  });
});
