import { posix } from "node:path";
import type { Command } from "../../shell/command.ts";

/** Programs that download. */
const FETCHERS = new Set([
  ...["curl", "wget", "wget2", "fetch", "http", "https", "xh", "aria2c", "axel", "lynx", "w3m", "links", "elinks"],
  ...["httpie", "axel", "curlie", "puf", "snarf", "wcurl", "bitsadmin", "xhs", "ipfs"],
  ...["iwr", "irm", "Invoke-WebRequest", "Invoke-RestMethod", "invoke-webrequest", "invoke-restmethod"],
  ...["lwp-download", "lwp-request", "lwp-mirror", "GET"],
  ...["nc", "ncat", "netcat", "telnet", "ftp", "tftp", "lftp", "dig", "nslookup", "host", "gh", "gsutil", "s3cmd"],
]);
/** Programs that decode or decompress, so that their output may be a script that the line does not show. */
const DECODERS = new Set([
  "base64",
  "base32",
  "basenc",
  "xxd",
  "uudecode",
  "gpg",
  "openssl",
  "gunzip",
  "zcat",
  "unxz",
  "age",
]);
export const INTERPRETERS =
  /^(?:python[\d.]*|pypy3?|node|nodejs|perl|ruby|php|lua|tclsh|pwsh|powershell|deno|bun|osascript)$/;

const ADDRESS = /https?:\/\//;

export function fetches(command: Command): boolean {
  const { program = "", args, argv } = command;
  if (program === "gh") return args[0] === "api" || args[0] === "gist" || args[0] === "release";
  if (FETCHERS.has(program)) return true;
  if (program === "git") return args.includes("archive") && args.some((arg) => arg?.startsWith("--remote"));
  if (program === "certutil") return args.some((arg) => /^[-/]urlcache$/i.test(arg ?? ""));
  if (program === "openssl") return args[0] === "s_client";
  if (program === "aws") return args.includes("cp") && args.at(-1) === "-";
  if (program === "gcloud") return args[0] === "storage" && args[1] === "cat";
  if (program === "rclone") return args[0] === "cat";
  if (program === "svn") return args[0] === "cat" || args[0] === "export";
  if (program === "ssh") return args.some((arg) => /^(?:cat|curl|wget)\b/.test(arg ?? ""));
  if (INTERPRETERS.test(program))
    return (
      argv.some(({ text }) => ADDRESS.test(text)) ||
      command.redirections.some(({ body }) => ADDRESS.test(body?.text ?? ""))
    );
  if (command.redirections.length === 0) return false;
  return command.redirections.some(
    ({ operator, target }) => operator.startsWith("<") && /^\/dev\/(?:tcp|udp)\//.test(target?.text ?? ""),
  );
}

export function decodes({ program = "", args }: Command): boolean {
  if (!DECODERS.has(program)) return false;
  if (program === "openssl") return args.includes("-d") || args.includes("s_client");
  if (program === "xxd") return args.some((arg) => /^-\w*r/.test(arg ?? ""));
  return (
    !/^(?:base|gpg|age)/.test(program) || args.some((arg) => /^(?:-d|-D|-di|--decode|--decrypt|-\w*d)$/.test(arg ?? ""))
  );
}

/** Output options of download programs other than curl and wget. */
export function outputsOf({ program = "", argv }: Command): readonly string[] {
  if (/^(?:certutil|bitsadmin|lwp-download|lwp-mirror)$/.test(program)) return argv.slice(-1).map(({ text }) => text);
  const folder =
    program === "aria2c" ? argv[argv.findIndex(({ text }) => text === "-d") + 1 || argv.length] : undefined;
  return argv.flatMap(({ text, known }, at) => {
    const [, attached] = /^--(?:out|output|output-document)=(.+)$/.exec(text) ?? [];
    const before = argv[at - 1]?.text ?? "";
    const named = attached ?? (known && TAKES_FILE.test(before) ? text : undefined);
    return named === undefined ? [] : [posix.join(folder?.text ?? "", named)];
  });
}

const TAKES_FILE = /^(?:-o|-O|--out|--output|--download-to|-outfile|-destination)$/i;
