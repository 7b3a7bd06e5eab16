import { HookwrightError } from "./errors.ts";

/**
 * What a client sends for one event. The client moves bytes and parses nothing.
 * `HW01`, u32le header length, NUL-terminated `name=value` strings, u32le body length, standard input unchanged.
 */
export interface Frame {
  readonly nonce: string;
  readonly build: string;
  readonly home: string;
  /** Epoch milliseconds after which nobody waits for the answer. */
  readonly deadline: number;
  readonly cwd: string;
  readonly ppid: number;
  /** Why the body is incomplete, when the client could not read all of it. */
  readonly cut: "" | "timeout" | "too-large";
  /** The client understands a waiting frame. */
  readonly waits?: true;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Reply {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MAGIC = "HW01";
const MAX_HEADER = 4 * 1024 * 1024;
export const MAX_BODY = 64 * 1024 * 1024;

/** How many bytes the frame at the start of `bytes` has, or undefined while that is not known yet. */
export function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length >= 4 && bytes.toString("latin1", 0, 4) !== MAGIC) {
    throw new HookwrightError("HW_FRAME", { detail: "it does not begin with HW01" });
  }
  if (bytes.length < 8) return undefined;
  const header = bytes.readUInt32LE(4);
  if (header > MAX_HEADER) throw new HookwrightError("HW_FRAME", { detail: `a header of ${header} bytes` });
  if (bytes.length < 12 + header) return undefined;
  const body = bytes.readUInt32LE(8 + header);
  if (body > MAX_BODY) throw new HookwrightError("HW_FRAME", { detail: `a body of ${body} bytes` });
  return 12 + header + body;
}

export function decodeFrame(bytes: Buffer): Frame {
  const length = frameLength(bytes);
  if (length === undefined || bytes.length < length)
    throw new HookwrightError("HW_FRAME", { detail: "it is cut short" });
  const headerLength = bytes.readUInt32LE(4);
  const fields: Record<string, string> = {};
  const args: string[] = [];
  const env: Record<string, string> = Object.create(null);
  for (const entry of bytes.toString("utf8", 8, 8 + headerLength).split("\0")) {
    const equals = entry.indexOf("=");
    if (equals < 0) continue;
    const name = entry.slice(0, equals);
    const value = entry.slice(equals + 1);
    if (name === "arg") args.push(value);
    else if (name.startsWith("env.")) env[name.slice(4)] = value;
    else fields[name] = value;
  }
  const cut = fields.cut === "timeout" || fields.cut === "too-large" ? fields.cut : "";
  return {
    nonce: fields.nonce ?? "",
    build: fields.build ?? "",
    home: fields.home ?? "",
    deadline: Number(fields.deadline) || 0,
    cwd: fields.cwd ?? "",
    ppid: Number(fields.ppid) || 0,
    cut,
    ...(fields.waits === "1" ? { waits: true } : {}),
    args,
    env,
    body: bytes.subarray(12 + headerLength, length),
  };
}

export function encodeFrame(frame: Frame): Buffer {
  const strings = [
    `nonce=${frame.nonce}`,
    `build=${frame.build}`,
    `home=${frame.home}`,
    `deadline=${frame.deadline}`,
    `cwd=${frame.cwd}`,
    `ppid=${frame.ppid}`,
    ...(frame.cut ? [`cut=${frame.cut}`] : []),
    ...(frame.waits ? ["waits=1"] : []),
    ...frame.args.map((arg) => `arg=${arg}`),
    ...Object.entries(frame.env).map(([name, value]) => `env.${name}=${value}`),
  ];
  const header = Buffer.from(`${strings.join("\0")}\0`);
  const prefix = Buffer.alloc(8);
  prefix.write(MAGIC, "latin1");
  prefix.writeUInt32LE(header.length, 4);
  const bodyLength = Buffer.alloc(4);
  bodyLength.writeUInt32LE(frame.body.length);
  return Buffer.concat([prefix, header, bodyLength, frame.body]);
}

/** No answer has this exit code: it stands for a waiting frame. */
const WAITING = 255;

/**
 * What a daemon may send before the reply, to a client that understands it: for how many milliseconds from now the client is
 * to wait for the reply. It has the form of a reply, and the number stands in its standard output.
 */
export function encodeWaiting(ms: number): Buffer {
  return encodeReply({ exit: WAITING, stdout: String(Math.max(0, Math.round(ms))), stderr: "" });
}

export function encodeReply(reply: Reply): Buffer {
  const out = Buffer.from(reply.stdout);
  const err = Buffer.from(reply.stderr);
  const bytes = Buffer.allocUnsafe(9 + out.length + err.length);
  bytes.writeUInt8(reply.exit, 0);
  bytes.writeUInt32LE(out.length, 1);
  out.copy(bytes, 5);
  bytes.writeUInt32LE(err.length, 5 + out.length);
  err.copy(bytes, 9 + out.length);
  return bytes;
}
