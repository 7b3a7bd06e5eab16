import { skipLead } from "./lead.ts";
import { isOrder, NEGATED } from "./order.ts";
import { beginsAnInstruction, firstWord, type Instruction, instruction, type Place, REACH } from "./place.ts";
import { AFTER_WORD, BEFORE_WORD, oneOf, phrases } from "./words/word-patterns.ts";
import { NO_WORK_FOR_A_MODE, TAKE_AN_OBJECT_WITH, workWord } from "./words/words-of-work.ts";

const WITH =
  "with using by_using via through mit mittels per avec con com via à_l'aide_de con_l'aiuto_di с_помощью через";
const IN = "in on im auf en en_el en_mode en_modo en_el_modo no_modo em_modo in_modalità в_режиме im_modus";
const INSTRUMENT = new RegExp(
  `(?<=^|[\\s,(])(?:(?<how>${oneOf(WITH)})|(?<where>${oneOf(IN)}))(?:\\s+${oneOf("the a le la el o il dem der den")}${AFTER_WORD})?\\s+$`,
  "iu",
);
/** What may follow `with ralph`: any other word makes the name a part of something else. */
const FOLLOWS = new RegExp(
  `^\\s*(?:$|[.,;:!?，。！？)]|-\\s)|^\\s+${oneOf(`
  and until till please now so to then but instead rather not again this_time here and und bitte bis et y e и`)}${AFTER_WORD}`,
  "iu",
);
const SUBORDINATE = new RegExp(
  `${BEFORE_WORD}${oneOf(`
  that which who what why how whether if happens happen occurs occur fails failed wrong where when dass weil wenn was qui
  que quand lorsque cuando che quando который когда`)}${AFTER_WORD}`,
  "iu",
);
const REFUSED = new RegExp(
  `${BEFORE_WORD}${oneOf(`
  not don't never without rather_than than instead_of except no nicht ohne nie statt pas sans ne sin sem não senza non не
  без вместо`)}\\s*$`,
  "iu",
);
const DEFECT = oneOf(`
  bug bugs issue issues problem problems error errors crash crashes fehler problem probleme erreur erreurs problème bogue
  fallo fallos problema problemas erro erros errore errori falha ошибку ошибка ошибки баг проблему`);
const DEFECT_ALONE = new RegExp(
  `^\\s*(?:${oneOf("the a an this that any all some every le la les un el los o os il i den die der das")}\\s+)?${DEFECT}\\s*$`,
  "iu",
);
/** Parts of a program: with `in autopilot mode` behind them, the mode is the program. */
const PARTS = new RegExp(
  `${BEFORE_WORD}(?:${DEFECT}|${oneOf(`
  typo typos leak race regression deadlock hang test tests logic code handling message messages prompt prompts text
  wording counter limit timeout behaviour behavior flag check checks validation state states phase phases round rounds
  loop feature docs documentation support logging output warning button`)})${AFTER_WORD}`,
  "iu",
);
const BELONGS_TO_NAME = phrases(`
  work works working play plays compatible compatibility integration integrate integrates interaction interact interop
  trouble conflict conflicts experience comparison relationship together session sessions dealing loop loops hang hangs
  start begin conversation meeting call interview`);
const CONTENT = phrases(`
  test tests example examples guide doc docs documentation snippet tutorial demo prompt prompts table list menu dropdown
  column section enum array dialog form row line string message mock fixture fixtures scenario story sample screenshot
  video blog post article icon label logo`);
const WRITES = phrases(
  "add write create make draft record insert include show render display print generate schreibe erstelle ajoute añade",
);
const ANYTHING =
  /^\s*(?:it|this|that|them|everything|all|all of (?:it|this|them)|the (?:whole thing|rest)|es|das|alles|ça|esto|todo|isso|tudo|questo|tutto|это|всё)\s*,?\s*$/iu;
const NEEDS_NO_OBJECT = phrases(
  "run work operate proceed stay continue arbeite travaille travaillez trabaja trabalhe lavora",
);

const LOOP = /^\s+(?:loop|workflow|skill)(?!\p{L})/iu;
const ON_WORK = /^\s+(?:on|through|an)\s/i;

/** An order to do work that names the mode as its means: `fix the login with ralph`, `fix all tests ultrawork`. */
export function withMode(place: Place): Instruction | undefined {
  return fronted(place) ?? asInstrument(place) ?? germanEnding(place) ?? atTheEnd(place);
}

interface Order {
  readonly verb: string;
  readonly object: string;
  readonly isRequest: boolean;
}

/** The order that reaches from its verb to this place of the sentence. */
function orderBefore({ sentence }: Place, to: number): Order | undefined {
  const { text } = sentence;
  const nearest = sentence.clauses.filter((clause) => clause.at <= to && clause.at >= to - REACH).reverse();
  for (const clause of nearest.slice(0, 20)) {
    const lead = skipLead(text, clause.at);
    const verb = firstWord(text.slice(lead.end, lead.end + 40));
    if (lead.end >= to || workWord(verb) === undefined || NO_WORK_FOR_A_MODE.has(verb.toLowerCase())) continue;
    if (!beginsAnInstruction(sentence, clause) || NEGATED.test(text.slice(lead.end, to))) return undefined;
    const object = text.slice(lead.end, to).trimStart().slice(verb.length);
    // `Plan: use ralph` has a heading and no order.
    if (/^\s*[:：]/.test(object)) continue;
    return { verb, object, isRequest: lead.isRequest };
  }
  return undefined;
}

function asInstrument(place: Place): Instruction | undefined {
  const { sentence, group, after } = place;
  const before = sentence.text.slice(Math.max(0, group.at - 60), group.at);
  const found = INSTRUMENT.exec(before);
  if (!found?.groups) return undefined;
  const from = group.at - found[0].length;
  const order = orderBefore(place, from);
  if (!order) return undefined;
  // `Work in ralph mode on the open stories`: the work is named behind the mode.
  const isNamedBehind = NEEDS_NO_OBJECT.test(order.verb) && order.object.trim() === "" && ON_WORK.test(after);
  // `With the ralph loop` says of what something else is a part; `using the ralph loop` says how.
  const behind = /^with/i.test(found.groups.how ?? "") ? after : after.replace(LOOP, "");
  if (!(FOLLOWS.test(behind) || isNamedBehind) || !isMeans(order, found.groups, place)) return undefined;
  return instruction(sentence.text, from, group.end, [from, group.end], { isRequest: order.isRequest });
}

function isMeans({ verb, object }: Order, { where }: Readonly<Record<string, string>>, { group }: Place): boolean {
  if (REFUSED.test(object) || (SUBORDINATE.test(object) && !ANYTHING.test(object))) return false;
  if (where !== undefined) {
    const isMode = /mod[eouia]|modalità|режим/i.test(`${where} ${group.mentions.at(-1)?.words}`);
    if (!isMode) return ANYTHING.test(object);
    return !PARTS.test(object) && (/\p{L}/u.test(object) || NEEDS_NO_OBJECT.test(verb));
  }
  const last = object.trim().split(/\s+/).at(-1) ?? "";
  if (!/[\p{L}\p{N}\uFFFC]/u.test(object) || TAKE_AN_OBJECT_WITH.has(verb.toLowerCase())) return false;
  if (DEFECT_ALONE.test(object) || BELONGS_TO_NAME.test(last)) return false;
  return !(WRITES.test(verb) && CONTENT.test(last));
}

/** `Using ralph, fix the login`. */
function fronted({ sentence, group, clause, lead, before, after }: Place): Instruction | undefined {
  const match = INSTRUMENT.exec(before);
  if (clause.after !== "start" || match?.index !== 0 || match[0] !== before) return undefined;
  const comma = /^(?:\s+mode)?\s*[,:]?\s+/.exec(after)?.[0];
  if (comma === undefined) return undefined;
  const rest = skipLead(sentence.text, group.end + comma.length);
  if (!isOrder(sentence.text.slice(rest.end, rest.end + REACH))) return undefined;
  return instruction(sentence.text, clause.at, rest.end, [lead.end, group.end], { isRequest: rest.isRequest });
}

const GERMAN_SUBJECT = /^(?:ich|wir|er|sie|es|man|du|ihr|wer|wie|was|der|die)(?!\p{L})/iu;
const GERMAN_MODAL =
  /(?<!\p{L})(?:kann|kannst|können|könnte|will|wollte|wollten|möchte|soll|sollte|sollen|darf|dürfen|muss|musste|müssen|wird|werden|wurde|würde|hat|habe|haben)(?!\p{L})/iu;
const INFINITIVE = /^\s+(\p{Ll}{3,20}n)(?=\s*(?:$|[.,!]|und(?!\p{L})))/u;

/** `Bitte den Parser mit ralph reparieren`: the verb stands at the end. */
function germanEnding({ sentence, group, clause, lead, after }: Place): Instruction | undefined {
  const { text } = sentence;
  const start = text.slice(lead.end, group.at);
  const found = /(?<=\s)(?:mit|im|per|via)\s+$/i.exec(start);
  const verb = INFINITIVE.exec(after)?.[1];
  if (!found || verb === undefined || workWord(verb) === undefined || clause.after === "conjunction") return undefined;
  const object = start.slice(0, found.index);
  const isStatement = (GERMAN_SUBJECT.test(object) && !/^die\s+\p{Lu}/u.test(object)) || GERMAN_MODAL.test(object);
  if (isStatement || REFUSED.test(object) || (/^im/i.test(found[0]) && PARTS.test(object))) return undefined;
  const from = lead.end + found.index;
  return instruction(text, from, group.end, [from, group.end], { isRequest: lead.isRequest });
}

/** Words before a name at the end that make it the name of a thing: `the flag ralph`, `the old ralph`. */
const NAMED = phrases(`
  user users name names account author owner branch variable function class file folder module table column key flag
  option mode command skill keyword word constant label tag package service container host server bot agent script
  colleague friend boss manager developer reviewer customer maintainer person engineer guy folder directory repo plugin
  the a an my our your this that these those its of in on for to from by about with and or as at into than like between
  called named not no without old new legacy broken current whole entire existing previous original flaky slow buggy
  im am der die das den dem ein eine einen ohne für von en el la le les du de au sur dans modo modus modalità sin sans del
  no na do da em sem nel nella senza di в на режиме режим без для
  default custom experimental better faster other same next last first own real actual fix improve test debug
  use using run running start starting launch try cancel stop resume enable disable
  only just both all each every any some ask tell thank dear`);
const ADJECTIVE = /(?:ed|ing|ive|able|ous|ful|less|ary)$/i;

function atTheEnd(place: Place): Instruction | undefined {
  const { sentence, group, after } = place;
  const { text } = sentence;
  if (!/^(?:\s*,?\s*(?:please|now|mode))*[\s.!?]*$/i.test(after) || group.mentions.some((one) => one.isLabel))
    return undefined;
  const order = orderBefore(place, group.at);
  if (!order || SUBORDINATE.test(order.object)) return undefined;
  const [, object = "", mark = ""] = /^(.*?)\s*([,，]|\s[-—–])?\s*$/s.exec(order.object) ?? [];
  const words = object.trim().split(/\s+/);
  const last = words.at(-1) ?? "";
  if (!/\p{L}/u.test(last) || NAMED.test(last) || (mark === "" && (ADJECTIVE.test(last) || words.length < 2))) {
    if (!(mark === "" && ANYTHING.test(object))) return undefined;
  }
  // `Add the notes — Ralph` is signed by a person.
  if (/[-—–]/.test(mark) && /^R(?!ALPH)/.test(text.slice(group.at))) return undefined;
  const from = group.at - (order.object.length - object.trimEnd().length);
  return instruction(text, from, text.length, [group.at, group.end], { isRequest: order.isRequest });
}
