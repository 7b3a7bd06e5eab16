import type { Command, Word } from "../../shell/command.ts";

/** How a tool is told its output file. */
interface Output {
  /** Options that take the file, with their dashes; `-o=` also takes it without a blank. */
  readonly by?: string;
  /** The word without a dash that is the file, counted from 0 or, below it, from the end. */
  readonly at?: number;
  /** Options whose value is no such word. */
  readonly values?: string;
  /** It writes a file only with one of these words. */
  readonly needs?: string;
  /** With one of these it writes none. */
  readonly unless?: string;
}

const DUMP: Output = { by: "-f= --file=" };
const PLAIN: Output = { by: "-o= --output=" };
const CAPTURE: Output = { by: "-w=" };
const IMAGES: Output = { at: -1, unless: "identify mogrify display import" };
const REQUEST: Output = { by: "-o= --output=" };
const OWN: Output = { by: "--out= --repair=" };
const CAN_IMAGE: Output = { by: "-o= --output=", needs: "save export" };

/** Of those that write over a file without asking. What compilers make is made again, so they are not here. */
const OUTPUTS: Readonly<Record<string, Output>> = {
  uniq: { at: 1, values: "-f -s -w --skip-fields --skip-chars --check-chars" },
  xxd: { at: 1, values: "-c -g -l -n -o -R -s" },
  find: { by: "-fprint -fprint0 -fprintf -fls" },
  shuf: PLAIN,
  xgettext: PLAIN,
  iconv: PLAIN,
  pandoc: PLAIN,
  xsltproc: PLAIN,
  xmllint: PLAIN,
  openssl: { by: "-out -keyout" },
  gpg: { by: "-o= --output=", needs: "--yes" },
  gpg2: { by: "-o= --output=", needs: "--yes" },
  htpasswd: { at: 0, needs: "-c -cb -bc -cB -Bc -cbB -Bbc -cBb -bcB" },
  pg_dump: DUMP,
  pg_dumpall: DUMP,
  mysqldump: { by: "-r= --result-file=" },
  mongoexport: { by: "-o= --out=" },
  psql: PLAIN,
  ffmpeg: { at: -1, needs: "-y" },
  sox: { at: -1, needs: ".wav .mp3 .flac .ogg" },
  magick: IMAGES,
  convert: IMAGES,
  cwebp: { by: "-o" },
  svgo: PLAIN,
  dot: { by: "-o=" },
  gs: { by: "-sOutputFile=" },
  inkscape: { by: "-o --export-filename=" },
  qpdf: { at: -1, unless: "--check --show-npages --replace-input --is-encrypted --requires-password" },
  wkhtmltopdf: { at: -1 },
  pdftk: { by: "output" },
  tcpdump: CAPTURE,
  tshark: CAPTURE,
  dumpcap: CAPTURE,
  strace: { by: "-o=" },
  ltrace: { by: "-o=" },
  nmap: { by: "-oN -oX -oG" },
  http: REQUEST,
  https: REQUEST,
  xh: REQUEST,
  docker: CAN_IMAGE,
  podman: CAN_IMAGE,
  "qemu-img": { at: -1, needs: "convert", values: "-f -O -o -l -B -m" },
  genisoimage: { by: "-o= -output" },
  mkisofs: { by: "-o= -output" },
  cpio: { by: "-O= -F=", needs: "-o -ov -ovc --create" },
  git: { by: "-o= --output=", needs: "archive diff log show", unless: "--remote" },
  "git-archive": PLAIN,
  // Its files are always new, but such a file would switch the guard off.
  hookwright: OWN,
  "hookwright.mjs": OWN,
};

export const OUTPUT_TOOLS: readonly string[] = Object.keys(OUTPUTS);

const NONE: readonly Word[] = [];

/** The output files that the words of a tool name; unknown ones are left out. */
export function outputWords({ program = "", argv }: Command): readonly Word[] {
  if (/^python[\d.]*$/.test(program)) return ofJsonTool(argv);
  const output = Object.hasOwn(OUTPUTS, program) ? OUTPUTS[program] : undefined;
  if (!output) return NONE;
  const words = argv.slice(1);
  if (output.needs && !words.some(({ text }) => isOneOf(output.needs, text))) return NONE;
  if (output.unless && words.some(({ text }) => isOneOf(output.unless, text))) return NONE;
  const found = output.by ? words.flatMap((word, at) => givenBy(output.by ?? "", word, words[at + 1])) : [];
  if (output.at === undefined) return found;
  const plain = operands(words, output.values);
  // With one word alone there is only what is read.
  const operand = output.at < 0 && plain.length < 2 && program !== "ffmpeg" ? undefined : plain.at(output.at);
  return operand?.known ? [...found, operand] : found;
}

function isOneOf(list: string | undefined, text: string): boolean {
  return list?.split(" ").some((one) => one === text || (one.startsWith(".") && text.endsWith(one))) ?? false;
}

function givenBy(names: string, word: Word, next: Word | undefined): readonly Word[] {
  const options = names.split(" ");
  if (options.some((name) => name === word.text || name === `${word.text}=`))
    return next?.known && next.text !== "-" ? [next] : NONE;
  const name = word.known
    ? options.find((one) => one.endsWith("=") && word.text.startsWith(one.slice(0, -1)))
    : undefined;
  if (name === undefined) return NONE;
  const rest = word.text.slice(name.length - 1);
  if (name.length === "-o=".length) return [{ text: rest, known: true }];
  return rest.startsWith("=") ? [{ text: rest.slice(1), known: true }] : NONE;
}

function operands(words: readonly Word[], values = ""): readonly Word[] {
  const takes = values.split(" ");
  return words.filter(
    ({ text }, at) => (!text.startsWith("-") || text === "-") && !takes.includes(words[at - 1]?.text ?? "no"),
  );
}

/** `python -m json.tool in out` */
function ofJsonTool([, module, name, ...rest]: readonly Word[]): readonly Word[] {
  if (module?.text !== "-m" || name?.text !== "json.tool") return NONE;
  const to = operands(rest, "--indent").at(1);
  return to?.known ? [to] : NONE;
}
