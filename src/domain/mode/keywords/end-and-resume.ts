import type { ModeName } from "../modes.ts";
import { skipLead } from "./lead.ts";
import { everydayGroups, type NameGroup } from "./mode-names.ts";
import { beginsAnInstruction, type Place, placeOf } from "./place.ts";
import { clauseAt, type Sentence } from "./sentences.ts";
import { AFTER_WORD, BEFORE_WORD, oneOf } from "./words/word-patterns.ts";

const CANCELS = `
  cancel stop end abort quit exit kill halt terminate deactivate disable turn_off switch_off shut_down leave
  beende beenden stoppe stopp stoppen brich deaktiviere annule annulez arrête arrêtez stoppez désactive cancela cancele
  cancelar detén detener para pare pausa desactiva annulla annullare ferma fermare disattiva отмени отмените останови
  остановите выключи`;
const CANCELS_BEHIND = `
  cancel stop abort quit exit halt off end abbrechen beenden stoppen aus stopp annuler arrêter cancelar detener parar
  annullare fermare стоп отмена`;
const RESUMES = `
  resume continue continue_with go_on_with carry_on_with pick_up reactivate reprends reprenez continue_avec reanuda
  retoma retome continúa_con riprendi setze_fort возобнови продолжи`;
const RESUMES_BEHIND = "resume continue fortsetzen weiter reprendre reanudar retomar riprendere продолжить";
const ARTICLES = `
  the my this that running current all active whole der die das den le la les el los o os il lo den_laufenden mode modo
  modus loop with`;

const article = `(?:\\s+${oneOf(ARTICLES)}${AFTER_WORD}){0,3}`;
/** What may follow the name: any other word makes the name a part of a longer one, or the sentence a report. */
const ENDS = new RegExp(
  `^(?:\\s+(?:loop|run|session|mode|again|ab|fort)\\b)?(?:\\s*,?\\s*${oneOf(`
  now please immediately right_now right_away at_once here for_now already asap thanks entirely completely bitte jetzt
  sofort maintenant ahora agora ora subito сейчас пожалуйста in_this_session for_this_session`)}${AFTER_WORD})*` +
    `\\s*(?:$|[.!,;:—–(。！，；)?]|-\\s|${oneOf("and then it i we you that's this because since as so but und et y e и")}${AFTER_WORD})`,
  "iu",
);
const NOTHING_MORE = /^(?:\s*,?\s*(?:now|please|bitte|jetzt|right now|immediately|ok))*[\s.!…。！]*$/i;
const AND_MORE = /^(?:\s*,?\s*(?:now|please|bitte|jetzt))*\s*(?:$|[.!…。！,;:]|(?:and|from|with|at|where)(?!\p{L}))/iu;

const CANCEL_BEFORE = new RegExp(`^${oneOf(CANCELS)}${article}\\s+$`, "iu");
const CANCEL_BEHIND = new RegExp(`^(?:\\s+(?:loop|mode))?\\s*[,:]?\\s*${oneOf(CANCELS_BEHIND)}${AFTER_WORD}`, "iu");
const RESUME_BEFORE = new RegExp(`^${oneOf(RESUMES)}${article}\\s+$`, "iu");
const RESUME_BEHIND = new RegExp(`^(?:\\s+(?:loop|mode))?\\s*[,:]?\\s*${oneOf(RESUMES_BEHIND)}${AFTER_WORD}`, "iu");

const EASTERN_CANCEL =
  /(?:^|[，,。；;：:、！!\s])(?:请|立即|马上|立刻|先|快)*\s*(?:取消|停止|停下|停掉|终止|中止|关闭|关掉|退出|结束)\s*$/;
const EASTERN_CANCEL_END = /^\s*(?:模式)?\s*(?:吧|掉)?\s*(?:$|[，,。！!；;])/;
const EASTERN_CANCEL_BEHIND =
  /^\s*(?:モード|모드|模式)?\s*(?:を|을|를)?\s*(?:(?:中止|停止|キャンセル|終了|止め|やめ)(?:して|しろ|て|ろ)?(?:ください|下さい|くれ)?|(?:취소|중지|중단|멈춰|그만|꺼|종료)(?:해|하자)?\s*(?:줘|줘요|주세요)?|取消|停止)[\s。.!！]*$/;
const EASTERN_RESUME = /(?:^|[，,\s])(?:请)?(?:继续|恢复)\s*$/;
const EASTERN_RESUME_BEHIND = /^\s*(?:を|을|를)?\s*(?:再開|続け|재개|계속)\S{0,6}[\s。.!！]*$/;

/** The words that cancel everything, wherever a clause begins with them. */
const CANCEL_ALL_TOKEN = new RegExp(
  `${BEFORE_WORD}(?:cancelomc|stopomc)(?![\\p{L}\\p{N}_(/-]|\\.[\\p{L}\\p{N}])`,
  "iu",
);
const CANCEL_ALL = new RegExp(
  `^(?:cancel|stop|end|abort|quit|kill|halt|turn off|switch off|beende|stoppe|arrête|cancela|annulla|отмени|останови)\\s+` +
    "(?:all\\s+|every\\s+|alle\\s+|tous\\s+)?(?:of\\s+)?(?:the\\s+|my\\s+|les\\s+|die\\s+)?(?:running\\s+|active\\s+|execution\\s+)*" +
    `(?:(?:omc\\s+)?(?:modes?|modi|режимы)|omc)${AFTER_WORD}(.*)$`,
  "isu",
);
const INSISTS = /^i\s+(?:said|typed|told you)\s*[:,]?\s*/i;
const REPORTED =
  /^\s*(?:is|isn't|was|does|doesn't|did|didn't|has|command|keyword|token|word|button|should|must|can|will|fails|works|keeps|in the|are|do)(?!\p{L})/iu;

/** What a sentence cancels: modes, or all of them. */
export function cancellationIn(
  sentence: Sentence,
  groups: readonly NameGroup[],
): readonly (ModeName | "all")[] | undefined {
  if (sentence.isConditional) return undefined;
  if (cancelsAll(sentence, groups)) return ["all"];
  return modesMeant(sentence, groups, CANCELLATION);
}

/** The mode that a sentence resumes. */
export function resumptionIn(sentence: Sentence, groups: readonly NameGroup[]): ModeName | undefined {
  return sentence.isConditional ? undefined : modesMeant(sentence, groups, RESUMPTION)?.[0];
}

/** `Stop the pipeline` cancels that mode, if it is on: else the word has its everyday meaning. */
export function everydayCancellationIn(sentence: Sentence): readonly ModeName[] | undefined {
  if (sentence.isConditional) return undefined;
  return modesMeant(sentence, everydayGroups(sentence.text), { ...CANCELLATION, follows: NOTHING_MORE });
}

/** `Pipeline resume`, in the same way. */
export function everydayResumptionIn(sentence: Sentence): ModeName | undefined {
  if (sentence.isConditional) return undefined;
  const wanted = { ...RESUMPTION, follows: NOTHING_MORE, followsBehind: NOTHING_MORE };
  return modesMeant(sentence, everydayGroups(sentence.text), wanted)?.[0];
}

function modesMeant(sentence: Sentence, groups: readonly NameGroup[], wanted: Wanted): readonly ModeName[] | undefined {
  const group = groups.find((one) => isMeant(placeOf(sentence, one), wanted));
  return group?.mentions.map(({ mode }) => mode);
}

function cancelsAll(sentence: Sentence, groups: readonly NameGroup[]): boolean {
  const { text } = sentence;
  const token = CANCEL_ALL_TOKEN.exec(text);
  if (token && !isAsked(sentence, token.index)) {
    const clause = clauseAt(sentence, token.index);
    const lead = skipLead(text, clause.at);
    // `Ralph cancelomc`: what stands before it may be the name of a mode.
    const name = groups.find(({ end }) => end <= token.index && text.slice(end, token.index).trim() === "");
    const insistence = INSISTS.exec(text.slice(lead.end, lead.end + 40))?.[0].length ?? 0;
    const isLeading = (name?.at ?? token.index) <= lead.end + insistence;
    const after = text.slice(token.index + token[0].length, token.index + 60);
    if (isLeading && isOwnOrder(sentence, token.index) && !REPORTED.test(after)) return true;
  }
  return sentence.clauses.slice(0, MOST_CLAUSES).some((clause) => {
    const lead = skipLead(text, clause.at);
    const after = CANCEL_ALL.exec(text.slice(lead.end, lead.end + 120))?.[1];
    return after !== undefined && ENDS.test(after) && !isAsked(sentence, lead.end) && isOwnOrder(sentence, lead.end);
  });
}

/** The beginning of a long sentence is enough: who cancels says so shortly. */
const MOST_CLAUSES = 40;

interface Wanted {
  readonly before: RegExp;
  readonly follows: RegExp;
  readonly behind: RegExp;
  readonly followsBehind: RegExp;
  readonly eastern: RegExp;
  readonly easternBehind: RegExp;
}

const CANCELLATION: Wanted = {
  before: CANCEL_BEFORE,
  follows: ENDS,
  behind: CANCEL_BEHIND,
  followsBehind: NOTHING_MORE,
  eastern: EASTERN_CANCEL,
  easternBehind: EASTERN_CANCEL_BEHIND,
};
const RESUMPTION: Wanted = {
  before: RESUME_BEFORE,
  follows: new RegExp(`${ENDS.source}|^\\s+(?:from|with|at|where)(?!\\p{L})`, "iu"),
  behind: RESUME_BEHIND,
  followsBehind: AND_MORE,
  eastern: EASTERN_RESUME,
  easternBehind: EASTERN_RESUME_BEHIND,
};

/** `Cancel ralph`, or `ralph cancel`, as an instruction of its own. */
function isMeant({ sentence, group, clause, before, after }: Place, wanted: Wanted): boolean {
  if (group.isChoice || isAsked(sentence, clause.at)) return false;
  const start = sentence.text.slice(Math.max(0, group.at - 20), group.at);
  if (wanted.eastern.test(start) && EASTERN_CANCEL_END.test(after)) return true;
  if (before === "" && wanted.easternBehind.test(after)) return true;
  if (!isOwnOrder(sentence, clause.at)) return false;
  if (wanted.before.test(before)) return wanted.follows.test(after);
  const behind = before === "" ? wanted.behind.exec(after)?.[0] : undefined;
  return behind !== undefined && wanted.followsBehind.test(after.slice(behind.length));
}

/** Is the sentence a question that asks for no work? */
function isAsked(sentence: Sentence, at: number): boolean {
  return sentence.isQuestion && !skipLead(sentence.text, clauseAt(sentence, at).at).isRequest;
}

/** Does the clause begin an order, and not a text behind a colon? */
function isOwnOrder(sentence: Sentence, at: number): boolean {
  const clause = clauseAt(sentence, at);
  if (!beginsAnInstruction(sentence, clause)) return false;
  const earlier = sentence.text.slice(Math.max(0, clause.at - 200), clause.at).trimEnd();
  return !/[:：]$/.test(earlier) || earlier.split(/\s+/).length <= 3;
}
