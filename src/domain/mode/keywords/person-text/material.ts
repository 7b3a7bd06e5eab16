import { phrases } from "../words/word-patterns.ts";
import { type Line, linesOf, MASK, type Span } from "./mask.ts";

/** Words for a text that somebody has written, or that is to be written: what follows their colon is that text. */
const TEXTS = phrases(`
  translate translation summarize summarise summary proofread rewrite rephrase paraphrase grammar tone wording text texts
  sentence sentences paragraph email e-mail mail draft readme doc docs documentation manual wiki article blog prompt
  prompts transcript conversation chat quote changelog release_notes commit_message description comment title heading
  slogan label string example examples instance say says said wrote write writes written reads states typed entered
  answered answers replied replies posted tells told printed prints shows showed logged entries instruction instructions
  übersetze übersetz text satz sätze nachricht schreib schreibt schrieb steht sagt sagte heißt beispiel zum_beispiel
  traduis traduisez traduire texte phrase dit écrit exemple traduce traducir texto frase dice dijo escribe ejemplo traduza
  traduzir diz disse escreva exemplo traduci tradurre testo ha_detto scrivi esempio переведи переведите текст фразу фраза
  сказал пишет напиши пример`);
const EASTERN_TEXTS =
  /翻译|句子|文本|例如|比如|日志|输出|报错|翻訳|文章|例|ログ|出力|エラー|번역|문장|텍스트|예를|로그|출력|오류/;
/** Words for what a program printed: it ends with the paragraph. */
const OUTPUTS = phrases(`
  log logs output error errors trace traceback stacktrace stack_trace stdout stderr diff patch result message messages
  warning console terminal fehlermeldung ausgabe protokoll fehler erreur sortie journal error salida registro saída erro
  uscita errore вывод лог ошибка`);
/** Announces the text below without a colon. */
const ANNOUNCED =
  /\b(?:summari[sz]e|translate|proofread|rewrite|rephrase|review|check|correct|improve|shorten|analy[sz]e|read)\b[^.\n]{0,80}\b(?:the following|this|below)\b(?:\s+\w+){0,2}\s+(?:text|article|e-?mail|document|readme|issue|ticket|transcript|post|page|draft|prompt|message|report|paper|spec|description)\b[^\n]{0,60}$/i;

/** How many colons of a line are looked at, and how much of what stands before them. */
const MOST_COLONS = 5;
const LONGEST_INTRODUCTION = 300;

/**
 * Texts that a person hands over to be translated, reviewed, written or looked at. A text below its introduction goes on
 * to the end, because nothing says where it stops; output goes on to the next blank line.
 */
export function materialSpans(text: string): Span[] {
  const lines = linesOf(text);
  const spans: Span[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index];
    if (!line) break;
    const found = introductionIn(line);
    if (!found) {
      index++;
      continue;
    }
    if (found.isText && found.endsLine) {
      spans.push([found.at, text.length]);
      break;
    }
    const last = endOfParagraph(lines, found.endsLine ? firstFilled(lines, index + 1) : index);
    spans.push([found.at, lines[last]?.to ?? line.to]);
    index = Math.max(last, index) + 1;
  }
  return spans;
}

interface Introduction {
  /** Where the text begins. */
  readonly at: number;
  readonly isText: boolean;
  readonly endsLine: boolean;
}

function introductionIn(line: Line): Introduction | undefined {
  let from = 0;
  for (let count = 0; count < MOST_COLONS; count++) {
    const colon = line.text.slice(from).search(/[:：]/) + from;
    if (colon < from) break;
    const before = line.text.slice(Math.max(0, colon - LONGEST_INTRODUCTION), colon);
    const rest = line.text.slice(colon + 1);
    from = colon + 1;
    const isText = TEXTS.test(lastClause(before)) || EASTERN_TEXTS.test(before);
    if (!isText && !OUTPUTS.test(lastWords(before))) continue;
    // What is masked already needs no introduction, and what follows it is the person's own again.
    if (rest.trimStart().startsWith(MASK)) continue;
    return { at: line.from + colon + 1, isText, endsLine: rest.trim() === "" };
  }
  if (!ANNOUNCED.test(line.text.slice(-LONGEST_INTRODUCTION))) return undefined;
  return { at: line.to, isText: true, endsLine: true };
}

const lastClause = (before: string): string => /[^.!?;]*$/.exec(before)?.[0] ?? "";
const lastWords = (before: string): string => /(?:\S+\s+){0,4}\S+\s*$/.exec(before.slice(-100))?.[0] ?? "";

function firstFilled(lines: readonly Line[], from: number): number {
  let index = from;
  while (index < lines.length && lines[index]?.text.trim() === "") index++;
  return index;
}

function endOfParagraph(lines: readonly Line[], from: number): number {
  let index = from;
  while (index + 1 < lines.length && lines[index + 1]?.text.trim() !== "") index++;
  return index;
}
