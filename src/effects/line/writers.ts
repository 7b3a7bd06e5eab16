import type { OptionSpec } from "../../shell/options.ts";

/** A program that writes, creates, changes or removes files it is told by name. */
export interface Writer extends OptionSpec {
  /** Which operands are written: all of them, the last one, or none. */
  readonly operands: "all" | "last" | "none";
  /** Operands at the beginning that are no files: a mode, a script. */
  readonly skip?: number;
  /** Options that give what `skip` stands for. */
  readonly instead?: string;
  /** Writes only when one of these options is given. */
  readonly only?: string;
  /** Options whose value is a file that is written. */
  readonly files?: string;
  /** Options that name the folder everything goes into. */
  readonly folder?: string;
  /** Without such an option everything goes into the current folder. */
  readonly unpacks?: true;
  /** Operands before the last are copied into it when it is a folder. */
  readonly copies?: true;
  /** Operands before the last are removed. */
  readonly moves?: true;
  /** Options with which every operand is a folder to create. */
  readonly creates?: string;
}

const PACKER: Writer = {
  operands: "all",
  short: "123456789acdfhklLnNqrtvVS:T:",
  long: "stdout decompress force help keep list license no-name name quiet recursive suffix: test verbose version fast best threads:",
};
const COPY =
  "archive attributes-only backup:: copy-contents force interactive link dereference no-clobber no-dereference preserve:: parents recursive reflink:: remove-destination sparse: strip-trailing-slashes symbolic-link suffix: target-directory: no-target-directory update:: verbose one-file-system context:: help version debug exchange no-copy";

export const WRITERS: Readonly<Record<string, Writer>> = {
  tee: { operands: "all", short: "aip", long: "append ignore-interrupts output-error:: help version" },
  cp: { operands: "last", short: "abdfiHlLnPpRrsS:t:TuvxZ", long: COPY, folder: "t target-directory", copies: true },
  mv: { operands: "last", short: "bfinS:t:TuvZ", long: COPY, folder: "t target-directory", copies: true, moves: true },
  install: {
    operands: "last",
    short: "bcCdDg:m:o:pS:st:TvZ",
    long: "backup:: compare directory group: mode: owner: preserve-timestamps strip suffix: target-directory: no-target-directory verbose",
    folder: "t target-directory",
    copies: true,
    creates: "d directory",
  },
  ln: {
    operands: "last",
    short: "bdFfiLnPrsS:t:Tv",
    long: "backup:: directory force interactive logical no-dereference physical relative symbolic suffix: target-directory: no-target-directory verbose",
    folder: "t target-directory",
    copies: true,
  },
  truncate: { operands: "all", short: "cor:s:", long: "no-create io-blocks reference: size:" },
  touch: { operands: "all", short: "acd:fhmr:t:", long: "date: reference: time: no-create no-dereference" },
  sed: {
    operands: "all",
    short: "nb:e:f:Ei::l:rsuz",
    long: "quiet silent debug expression: file: follow-symlinks in-place:: line-length: posix regexp-extended separate sandbox unbuffered null-data help version",
    skip: 1,
    instead: "e f expression file",
    only: "i in-place",
  },
  perl: {
    operands: "all",
    short: "0::acC::d::D:e:E:fF:i::I:l::m:M:nNpPsStTuUvwWxX",
    skip: 1,
    instead: "e E",
    only: "i",
  },
  rm: {
    operands: "all",
    short: "dfiIrRv",
    long: "force interactive:: one-file-system no-preserve-root preserve-root:: recursive dir verbose",
  },
  unlink: { operands: "all" },
  rmdir: { operands: "all", short: "pv", long: "ignore-fail-on-non-empty parents verbose" },
  shred: {
    operands: "all",
    short: "fn:s:uvxz",
    long: "force iterations: random-source: size: remove:: verbose exact zero",
  },
  mkdir: { operands: "all", short: "m:pvZ", long: "mode: parents verbose context::" },
  mkfifo: { operands: "all", short: "m:Z", long: "mode: context::" },
  chmod: {
    operands: "all",
    short: "cfvRHLPrwxXst",
    long: "changes silent quiet verbose no-preserve-root preserve-root reference: recursive",
    skip: 1,
    instead: "reference r w x X s t",
  },
  chown: {
    operands: "all",
    short: "cfvhRHLP",
    long: "changes silent quiet verbose dereference no-dereference from: no-preserve-root preserve-root reference: recursive",
    skip: 1,
    instead: "reference",
  },
  chgrp: {
    operands: "all",
    short: "cfvhRHLP",
    long: "changes silent quiet verbose dereference no-dereference no-preserve-root preserve-root reference: recursive",
    skip: 1,
    instead: "reference",
  },
  rsync: {
    operands: "last",
    short: "vqcarRubdlLkKHpEAXogDtOJUNSnWxhzCsFPi46B:e:f:M:T:@:",
    long: "exclude: include: exclude-from: include-from: files-from: rsh: rsync-path: suffix: backup-dir: temp-dir: partial-dir: compare-dest: copy-dest: link-dest: chmod: chown: filter: log-file: max-size: min-size: timeout: port: password-file: bwlimit: info: out-format: delete delete-after delete-before delete-during delete-excluded archive verbose recursive dry-run progress stats partial update inplace append existing ignore-existing remove-source-files force prune-empty-dirs compress links perms owner group times checksum human-readable itemize-changes mkpath",
    files: "log-file",
  },
  scp: { operands: "last", short: "346ABCOpqRrTvc:D:F:i:J:l:o:P:S:X:" },
  tar: {
    operands: "none",
    short: "AcdrtuxBC:f:F:g:hijJkK:lL:mMnN:oOpPqrsST:UvV:wWX:zZI:a",
    long: "extract get create append update list directory: file: exclude: strip-components: transform: owner: group: mode: gzip bzip2 xz zstd verbose overwrite keep-old-files preserve-permissions use-compress-program: auto-compress one-top-level:: wildcards to-stdout",
    only: "x extract get",
    folder: "C directory",
    unpacks: true,
  },
  unzip: { operands: "none", short: "abcCd:DfjKlLMnopP:qtTuUvVWx:XzZ", folder: "d", unpacks: true },
  curl: {
    operands: "none",
    short: "#:0aA:b:Bc:C:d:D:e:E:fF:gGh:H:iIjJkK:lLm:MnNo:OpP:qQ:r:RsSt:T:u:U:vVw:x:X:y:Y:z:Z46",
    long: "output: dump-header: cookie-jar: data: header: request: user: url: output-dir: form: upload-file: proxy: cert: key: cacert: max-time: connect-timeout: retry: user-agent: referer: cookie: write-out: data-binary: data-raw: data-urlencode: json: range: resolve: config: trace: trace-ascii: stderr: etag-save: silent show-error location fail fail-with-body compressed insecure include head remote-name create-dirs verbose",
    files: "o output D dump-header c cookie-jar trace trace-ascii stderr etag-save",
  },
  wget: {
    operands: "none",
    short: "a:A:B:bcdD:e:EFhHi:I:kKl:LmnN:o:O:pP:qQ:rR:St:T:U:vVw:xX:46",
    long: "output-document: directory-prefix: output-file: append-output: header: user: password: post-data: tries: timeout: user-agent: quiet no-check-certificate continue recursive",
    files: "O output-document o output-file a append-output",
  },
  patch: {
    operands: "none",
    short: "bcCd:D:eEfF:g:i:lno:p:Nr:RstTuvV:x:Y:z:Z",
    long: "directory: input: output: strip: fuzz: reject-file: forward reverse dry-run force batch backup silent quiet verbose binary unified",
    files: "o output r reject-file",
    folder: "d directory",
    unpacks: true,
  },
  sort: {
    operands: "none",
    short: "bcCdfgik:mMnho:rRsS:t:T:uVz",
    long: "output: key: field-separator: temporary-directory: reverse unique numeric-sort",
    files: "o output",
  },
  zip: { operands: "none", short: "0123456789AbcdDefFgijJklLmMnoPqrRsStTuUvVwWxXyzZ@", files: "" },
  gzip: PACKER,
  gunzip: PACKER,
  bzip2: PACKER,
  bunzip2: PACKER,
  xz: PACKER,
  unxz: PACKER,
  zstd: { ...PACKER, operands: "none", files: "o" },
};
