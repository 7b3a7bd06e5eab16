import type { Command, Word } from "../../shell/command.ts";
import { readOptions } from "../../shell/options.ts";
import { secretOf } from "../line/secrets.ts";
import { WRITERS } from "../line/writers.ts";
import { readLoosely, valuesOf } from "../loose-options.ts";

/** What a command would send away: files by name, words whose text goes out, and whether its input does. */
export interface Upload {
  readonly files: readonly string[];
  readonly words: readonly Word[];
  readonly input: boolean;
  /** Where it goes. */
  readonly to: string;
}

const NOTHING: Upload = { files: [], words: [], input: false, to: "" };

/** Programs by name. */
const UPLOADERS: Readonly<Record<string, (command: Command) => Upload | undefined>> = {
  curl,
  wget,
  http: httpie,
  https: httpie,
  ...Object.fromEntries(
    ["iwr", "irm", "Invoke-WebRequest", "Invoke-RestMethod", "invoke-webrequest", "invoke-restmethod"].map((name) => [
      name,
      cmdlet,
    ]),
  ),
  ...Object.fromEntries(
    ["nc", "ncat", "netcat", "socat", "telnet", "mail", "mailx", "sendmail", "mutt", "msmtp"].map((name) => [
      name,
      stream,
    ]),
  ),
  openssl: (command) => (command.args[0] === "s_client" ? stream(command) : undefined),
  ssh: (command) => ({
    ...NOTHING,
    input: true,
    to: command.argv.slice(1).find(({ text }) => !text.startsWith("-"))?.text ?? "",
  }),
  scp: copies,
  rsync: copies,
  ...Object.fromEntries(["sftp", "ftp", "lftp"].map((name) => [name, putLines])),
  ...Object.fromEntries(["slackcat", "ffsend", "pastebinit", "transfer"].map((name) => [name, uploaded])),
  ...Object.fromEntries(["dig", "nslookup", "host", "ping", "drill"].map((name) => [name, lookup])),
  aws: (command) => stored(command, /^(?:s3)$/, /^(?:cp|mv|sync)$/),
  gsutil: (command) => stored(command, /^(?:cp|mv|rsync)$/, undefined),
  gcloud: (command) => stored(command, /^storage$/, /^(?:cp|mv|rsync)$/),
  rclone: (command) => stored(command, /^(?:copy|copyto|sync|move|moveto|rcat)$/, undefined),
  mc: (command) => stored(command, /^(?:cp|mirror|pipe)$/, undefined),
  s3cmd: (command) => stored(command, /^(?:put|sync)$/, undefined),
  az: (command) => stored(command, /^storage$/, /^(?:blob|file|copy)$/),
  gist: uploaded,
  ...Object.fromEntries(["gh", "glab"].map((name) => [name, posted])),
  ...Object.fromEntries(
    ["wormhole", "croc", "magic-wormhole"].map((name) => [
      name,
      (command: Command) => stored(command, /^send$/, undefined),
    ]),
  ),
};

export function uploadOf(command: Command): Upload | undefined {
  const socket =
    command.redirections.length === 0
      ? undefined
      : command.redirections.find(
          ({ operator, target }) => />/.test(operator) && /^\/dev\/(?:tcp|udp)\//.test(target?.text ?? ""),
        )?.target;
  if (socket) {
    const own = secretOf(command);
    return { ...NOTHING, files: own ? [own] : [], words: command.argv.slice(1), input: true, to: socket.text };
  }
  const { program = "" } = command;
  return Object.hasOwn(UPLOADERS, program) ? UPLOADERS[program]?.(command) : undefined;
}

/** Headers and passwords are how one logs in; data, forms, files and addresses are what is sent. */
function curl(command: Command): Upload {
  const options = readOptions(command.argv.slice(1), WRITERS.curl ?? {}, true);
  const data = valuesOf(options, "d data data-binary data-urlencode json data-ascii");
  const forms = valuesOf(options, "F form");
  const uploads = valuesOf(options, "T upload-file");
  const addresses = [...options.operands, ...valuesOf(options, "url")];
  const files = [
    ...data.flatMap(({ text }) => /^(?:[\w.[\]-]+)?@(.+)$/.exec(text)?.[1] ?? []),
    ...forms.flatMap(({ text }) => /^[^=]*=[@<]([^;]+)/.exec(text)?.[1] ?? []),
    ...uploads.map(({ text }) => text),
  ];
  const input = files.some((file) => file === "-" || file === "." || file === "/dev/stdin");
  // A token in the header that is made for it is how one logs in.
  const headers = valuesOf(options, "H header").filter(
    ({ text }) => !/^(?:authorization|x-api-key|cookie)\b/i.test(text),
  );
  const words = [...data, ...valuesOf(options, "data-raw form-string"), ...forms, ...uploads, ...headers, ...addresses];
  return { files, words, input, to: addresses.at(-1)?.text ?? "" };
}

function wget(command: Command): Upload {
  const reading = readLoosely(command.argv.slice(1), "post-file post-data body-file body-data header O o P U e method");
  const files = valuesOf(reading, "post-file body-file").map(({ text }) => text);
  const words = [...valuesOf(reading, "post-data body-data"), ...reading.operands];
  return { files, words, input: files.includes("-"), to: reading.operands.at(-1)?.text ?? "" };
}

function httpie(command: Command): Upload {
  const { operands } = readLoosely(command.argv.slice(1), "a auth o output");
  const files = operands.flatMap(({ text }) => /^[\w.-]*@(.+)$/.exec(text)?.[1] ?? []);
  const to = operands.find(({ text }) => /[.:/]/.test(text) && !/[=@]/.test(text))?.text ?? "";
  return { files, words: operands, input: true, to };
}

/** A request of PowerShell that stands on a line of another shell. */
function cmdlet({ argv }: Command): Upload {
  const after = (option: RegExp): readonly Word[] => argv.filter((_, at) => option.test(argv[at - 1]?.text ?? ""));
  const to = argv.find(({ text }) => /^https?:/i.test(text));
  return {
    ...NOTHING,
    files: after(/^-infile$/i).map(({ text }) => text),
    words: [...after(/^-(?:body|form)$/i), ...(to ? [to] : [])],
    input: true,
    to: to?.text ?? "",
  };
}

function stream(command: Command): Upload {
  const words = command.argv.slice(1);
  const attached = words.flatMap((word, at) => (/^-[aA]$/.test(words[at - 1]?.text ?? "") ? [word.text] : []));
  const to = words.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  const files = words.flatMap(({ text }) => /^(?:FILE|OPEN|file|open):([^,]+)/.exec(text)?.[1] ?? []);
  return { files: [...attached, ...files], words, input: true, to };
}

function lookup(command: Command): Upload {
  return { ...NOTHING, words: command.argv.slice(1), to: "a name server" };
}

/** The last word is where the others go; keys that only open the connection are options. */
function copies(command: Command): Upload | undefined {
  const { operands } = readOptions(command.argv.slice(1), WRITERS[command.program ?? ""] ?? {}, true);
  const to = operands.at(-1)?.text ?? "";
  if (!/^[^/]+:/.test(to)) return undefined;
  return {
    ...NOTHING,
    files: operands
      .slice(0, -1)
      .map(({ text }) => text)
      .filter((text) => !/^[^/]+:/.test(text)),
    to,
  };
}

/** `put file` in what the client reads, or in its -e. */
function putLines(command: Command): Upload {
  const told = command.redirections.find(({ body }) => body)?.body?.text ?? "";
  const given = command.args.filter((_, at) => /^-[ec]$/.test(command.args[at - 1] ?? ""));
  const files = [told, ...given].flatMap((text) =>
    (text ?? "").split(/[\n;]/).flatMap((line) => /^\s*m?put\s+(?:-\w+\s+)?(\S+)/.exec(line)?.[1] ?? []),
  );
  return { ...NOTHING, files, to: command.argv.at(-1)?.text ?? "" };
}

/** Every word may be a file. */
function uploaded(command: Command): Upload {
  return { ...NOTHING, files: command.args.map((arg) => arg ?? ""), input: true, to: "a public place" };
}

/** What is said to everybody: a gist, a file of a release, the text of an issue or a comment. */
function posted(command: Command): Upload | undefined {
  const reading = readLoosely(
    command.argv.slice(1),
    "R repo t title b body F body-file n notes notes-file m message d",
  );
  const [first, second] = reading.operands.map(({ text }) => text);
  if (
    !/^(?:issue|pr|mr|release|discussion|snippet)$/.test(first ?? "") ||
    !/^(?:create|comment|edit|note|review|new|upload)$/.test(second ?? "")
  )
    return stored(command, /^(?:gist|release)$/, /^(?:create|upload)$/);
  const files = [
    ...valuesOf(reading, "F body-file notes-file").map(({ text }) => text),
    ...(first === "release" ? reading.operands.slice(2).map(({ text }) => text) : []),
  ];
  return {
    ...NOTHING,
    files,
    words: valuesOf(reading, "b body n notes t title m message d"),
    input: files.includes("-"),
    to: "a public place",
  };
}

/** `tool verb source target` for places in the cloud. */
function stored(command: Command, first: RegExp, second: RegExp | undefined): Upload | undefined {
  const reading = readLoosely(
    command.argv.slice(1),
    "profile region endpoint-url d desc t title n notes config acl storage-class sse content-type exclude include cache-control metadata grants expires only-show-errors-for a h predefined-acl account-name account-key container-name c name",
  );
  const words = reading.operands.map(({ text }) => text);
  if (!first.test(words[0] ?? "") || (second && !second.test(words[1] ?? ""))) return undefined;
  const files = [...words.slice(second ? 2 : 1), ...valuesOf(reading, "f file source").map(({ text }) => text)];
  const last = files.at(-1) ?? "";
  const pairs = /^(?:aws|gsutil|gcloud|rclone|mc|s3cmd)$/.test(command.program ?? "");
  // A copy from there to here sends nothing.
  if (pairs && !/:/.test(last) && command.program !== "mc") return undefined;
  return {
    ...NOTHING,
    files: pairs ? files.slice(0, -1).filter((file) => !/^\w+:\/\//.test(file)) : files,
    input: files.includes("-"),
    to: pairs ? last : "a public place",
  };
}
