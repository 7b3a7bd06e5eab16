import { easternInstruction } from "./eastern.ts";
import { skipLead } from "./lead.ts";
import { isObject, isOrder } from "./order.ts";
import { beginsAnInstruction, firstWord, type Instruction, instruction, type Place } from "./place.ts";
import { startsAsQuestion } from "./sentences.ts";
import { withMode } from "./with-mode.ts";
import { AFTER_WORD, oneOf } from "./words/word-patterns.ts";
import { ARTICLES, USES, workWord } from "./words/words-of-work.ts";

/** What a person's instruction to start the modes of this group consists of, if it is one. */
export function instructionAt(place: Place): Instruction | undefined {
  const { sentence, group } = place;
  if (sentence.isConditional || group.isChoice) return undefined;
  const found = easternInstruction(place) ?? byVerb(place) ?? atTheBeginning(place) ?? withMode(place);
  return !found || (sentence.isQuestion && !found.isRequest) ? undefined : found;
}

const USE = new RegExp(`^${oneOf(USES)}(?:\\s+${oneOf(ARTICLES)}${AFTER_WORD}){0,3}\\s+$`, "iu");
const ENABLE = /^(?:enable|activate|turn\s+on|switch\s+on)\b/i;
/** `Let ralph fix it`, `I want ralph to fix it`. */
const LET = new RegExp(`^${oneOf("let have lass laisse laissez deja deje deixe lascia")}\\s+$`, "iu");
/** `Put this on autopilot`. */
const PUT_ON =
  /^(?:put|set|leave)\s+(?:this|that|it|them|everything|all of (?:this|it|them)|the (?:rest|whole thing))\s+(?:on|to|in|into)\s+$/i;
/** `Turn ralph on`: the verb stands on both sides of the name. */
const TURN = /^(?:turn|switch|schalte|get|führe|führ|lass|lasse)\s+(?:the\s+|den\s+)?$/iu;
const TURNED_ON = /^\s+(?:mode\s+|modus\s+)?(?:on|an|ein|aus|laufen|going|started|running|working)(?!\p{L})/iu;
const WANT = /^(?:i want|i need|i'd like|i would like)\s+$/i;
/** What may follow the name behind `use`: any other word makes it a part of a longer name. */
const FOLLOWS = new RegExp(
  "^(?:\\s+(?:loop|run|session|skill|workflow|mode)\\b)?(?:" +
    `\\s*(?:$|[.,;:!?，。；：！？)—–]|-\\s|\\uFFFC)|\\s+${oneOf(`
  to for on and until till here now please mode then but instead too again this_time straight_away from_now_on today
  as_well so_that right_away next um für auf und bis jetzt bitte damit pour sur et jusqu'à maintenant afin_de para en
  sobre y hasta ahora em no na nos nas e até agora per su sul sulla sui fino ora чтобы для на и пока по`)}${AFTER_WORD}` +
    `|\\s+with\\s+(?:the|these|this|those|my|our|at\\s+most|up\\s+to|max|\\d+)${AFTER_WORD}` +
    "|\\s+in\\s+(?:the\\s+background|this\\s+\\w+|parallel)\\b|\\s+\\d+\\s+(?:times|rounds)\\b|\\s+--\\w)",
  "iu",
);
/** `Run ralph on every push` and `enable autopilot for guests` change what something else does. */
const SCHEDULE =
  /^\s+(?:mode\s+)?(?:on|for)\s+(?:every|each|any|startup|start|ci|error|errors|failure|push|commit|save|demand|windows|linux|mac\w*|mondays?|a schedule|(?:all|new|other) (?:new )?users|the server)\b/i;
const SETTING = /^\s+(?:mode\s+)?for\s+(?!(?:this|the rest|the whole|everything|it|now|that|these|all)\b)/i;
const REFUSED_LATER = /^(?:\s*[\p{L}]+){0,2}\s*(?<!\p{L})(?:nicht|not|niet|never)(?!\p{L})/iu;
/** Words behind the name that connect it with its request. */
const CONNECTOR = new RegExp(
  `^\\s*(?:(?:mode|loop|run|session|skill|workflow|now|please|here|bitte|jetzt|maintenant|ahora|agora|ora)\\b\\s*)*[,:：—–]?-?\\s*(?:${oneOf(
    "to and on for then um für auf und pour sur et afin_de para sobre y per su e чтобы для на и",
  )}${AFTER_WORD})?[\\s,:]*`,
  "iu",
);
/** A polite question is a request where it says for what. */
const PURPOSE =
  /^\s*(?:(?:mode|now|please|here|again|bitte|ahora|agora)\s+)?,?\s*(?:to|for|on|until|and|um|für|pour|sur|para|per|чтобы|для)(?!\p{L})/iu;

/** `Use ralph to …`, `let ralph …`. */
function byVerb(place: Place): Instruction | undefined {
  const { sentence, group, clause, lead, before, after } = place;
  if (group.mentions.some((one) => one.isLabel) || !beginsAnInstruction(sentence, clause)) return undefined;
  const turned = TURN.test(before) ? TURNED_ON.exec(after)?.[0] : undefined;
  if (turned !== undefined) return turnOn(place, turned.length);
  const isVerb = USE.test(before) || PUT_ON.test(before);
  const isUse = isVerb && FOLLOWS.test(after) && !SCHEDULE.test(after) && !REFUSED_LATER.test(after);
  const isLet = LET.test(before) && workWord(firstWord(after)) !== undefined;
  const isWant = WANT.test(before) && isOrder(/^\s+to\s(.*)$/s.exec(after)?.[1] ?? "");
  if (!(isUse && !(ENABLE.test(before) && SETTING.test(after))) && !isLet && !isWant) return undefined;
  const isRequest = lead.isRequest && (isLet || lead.hasPlease || PURPOSE.test(after));
  const to = group.end + (CONNECTOR.exec(after)?.[0].length ?? 0);
  return instruction(sentence.text, clause.at, to, [lead.end, group.end], { isRequest });
}

function turnOn({ sentence, group, clause, lead, after }: Place, length: number): Instruction | undefined {
  const behind = after.slice(length);
  if (!FOLLOWS.test(behind) || SCHEDULE.test(behind) || SETTING.test(behind)) return undefined;
  const at = group.end + length;
  const to = at + (CONNECTOR.exec(behind)?.[0].length ?? 0);
  return instruction(sentence.text, clause.at, to, [lead.end, at], { isRequest: lead.isRequest && lead.hasPlease });
}

/** Follows a name alone, and says nothing more. */
const NOTHING_MORE =
  /^(?:\s*,?\s*(?:mode|modus|loop|on|now|please|again|go|start|time|bitte|jetzt|an))*[\s.!…。！?？]*$/i;
/** Between the name and the request. */
const SEPARATOR = /^(?:\s+loop|\s+on(?=\s*[:：,，]))?\s*(?:[:：]|[,，—–]|-(?=\s)|->|=>|→|(?=\s))/;
/** No request but the report of a program or of a person: `ralph: command not found`. */
const REPORT =
  /^(?:keeps|loops|runs|fails|hangs|crashes|stops|starts|ends|does|doesn't|did|didn't|is|isn't|was|wasn't|has|had|says|said|goes|went|works|worked|seems|needs|should|must|can|cannot|can't|won't|will|would|may|never|always|no|not|command|permission|error|failed|crashed|stopped|finished|ended|started|deleted|broke|timed|exited|aborted|killed|segmentation|unknown|invalid|missing|\d+\s*(?:\/|of\b|%)|\d+$)(?![\p{L}'-])/iu;
const PRESET_OR_STAGES = /^security\b|->|→/;
const GERMAN_USE = /^\s+(?:benutzen|verwenden|nutzen|starten|einsetzen|aktivieren|anwerfen)(?!\p{L})/iu;
const LASTING = /^\s*(?:until|till|bis|jusqu'|hasta|até|finché)(?![\p{L}])/iu;
const ON_SOMETHING = /^\s*(?:on|for)\s+/i;

/** `Ralph through the list`. */
const WORKS_THROUGH = /^\s*(?:through|over|across)\s+(?:the|all|my|our|these|this|each|every)(?!\p{L})/iu;
/** `Ralph npm test and fix what fails`. */
const COMMAND_THEN_ORDER =
  /^(?:npm|npx|pnpm|yarn|bun|pytest|cargo|make|go|mvn|gradle|tox)\s[^.?!\n]{1,80}?\s(?:&&|and|then|until)\s/i;

/** `Ralph: …`, `ralph fix …`, `ralph this`, or the name alone. */
function atTheBeginning({ sentence, group, clause, lead, before, after }: Place): Instruction | undefined {
  if (before !== "" || clause.after === "conjunction" || sentence.isBullet) return undefined;
  if (!beginsAnInstruction(sentence, clause)) return undefined;
  const { text } = sentence;
  const words = [group.at, group.end] as const;
  const isLabel = group.mentions.some((one) => one.isLabel);
  if (NOTHING_MORE.test(after) && !isLabel) {
    return clause.after === "start" && group.mentions.length <= 3
      ? instruction(text, 0, text.length, words, { isNameOnly: true })
      : undefined;
  }
  const separator = SEPARATOR.exec(after)?.[0];
  if (separator === undefined) return undefined;
  const isColon = /[:：]$/.test(separator);
  const rest = skipLead(text, group.end + separator.length);
  const request = text.slice(rest.end, rest.end + 300);
  // `Can you ralph this?` asks for it: the name is the verb.
  const isVerb = lead.isRequest && separator.trim() === "";
  const found = instruction(text, clause.at, rest.end, words, { isRequest: rest.isRequest || isVerb });
  if (isLabel) return isColon && (isOrder(request) || PRESET_OR_STAGES.test(request)) ? found : undefined;
  if (clause.after === "mark")
    return separator.trim() === "" && (isOrder(request) || isObject(request)) ? found : undefined;
  if (isColon && sentence.isFirst)
    return isRequestText(request, sentence.isQuestion && !rest.isRequest) ? found : undefined;
  // `Ralph, can you look at this?` is said to a person.
  if (/[,，]\s*$/.test(separator) && rest.isRequest && /^R(?!ALPH)/.test(text.slice(group.at))) return undefined;
  if (isOrder(request)) return found;
  // `Swarm 5 agents to fix the tests` says what they are for.
  const isFor = group.mentions.some(({ agents }) => agents !== undefined) && /^\s+to\s/i.test(after);
  if (isFor && isOrder(request.replace(/^to\s+/i, ""))) return { ...found, to: rest.end + "to ".length };
  if (separator.trim() !== "") return undefined;
  const used = GERMAN_USE.exec(after)?.[0].length;
  if (used !== undefined) {
    const isRequest = lead.isRequest && (lead.hasPlease || PURPOSE.test(after.slice(used)));
    return instruction(text, clause.at, group.end + used, words, { isRequest });
  }
  const isOther =
    isObject(request) ||
    LASTING.test(request) ||
    WORKS_THROUGH.test(request) ||
    COMMAND_THEN_ORDER.test(request) ||
    (ON_SOMETHING.test(request) && isObject(request.replace(ON_SOMETHING, ""))) ||
    /^--\w/.test(request) ||
    (sentence.isFirst && /^[\uFFFC\s.!]+$/.test(request));
  return isOther ? found : undefined;
}

/** Behind `ralph:` at the beginning of a prompt anything is the request but a report, and a mere question. */
function isRequestText(request: string, isQuestion: boolean): boolean {
  return !REPORT.test(request) && !(isQuestion && startsAsQuestion(request));
}
