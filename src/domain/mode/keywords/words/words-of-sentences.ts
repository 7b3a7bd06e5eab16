/** Small words of ten languages; `_` stands for a space inside an expression. */

export const FILLERS = `
  please pls plz kindly ok okay k so now then just also and but well alright right great good perfect fine cool nice yes
  yeah yep yup sure actually instead rather anyway hey claude second next finally lastly first afterwards after_that
  for_this this_time from_here from_now_on again sorry oops wait hmm simply quickly directly here
  bitte jetzt nun dann also mal einfach danach zuerst und gut
  s'il_te_plaît s'il_vous_plaît maintenant alors puis ensuite d'abord et bon
  por_favor ahora luego entonces primero después y bueno vale agora então depois e bom
  per_favore ora adesso poi allora prima bene пожалуйста теперь тогда потом давай сначала и хорошо 请 现在 那 好`;

/** Questions that ask for work. */
export const POLITE_QUESTIONS = `
  can_you could_you would_you will_you kannst_du könntest_du würdest_du können_Sie könnten_Sie würden_Sie
  peux-tu pourrais-tu tu_peux pouvez-vous pourriez-vous vous_pouvez puedes podrías puede podría
  você_pode você_poderia pode poderia puoi potresti può potrebbe можешь мог_бы_ты можете могли_бы_вы`;

/** Statements that ask for work. */
export const WISHES = `
  i_want_you_to i_need_you_to i'd_like_you_to i_would_like_you_to id_like_you_to i_want_to i'd_like_to i_would_like_to
  let's lets let_us go_ahead_and you_can_now you_can feel_free_to be_sure_to make_sure_to make_sure_you try_to
  time_to ich_möchte_dass_du ich_will_dass_du quiero_que je_veux_que_tu`;

export const CONJUNCTIONS = "and then but so und dann aber et puis mais y luego pero e poi ma и а но затем";

export const PREPOSITIONS = `
  with using via through by mit mittels per über avec via con mediante usando com através con_l'aiuto_di через`;

/** Beginnings of a question, with or without its sign. */
export const QUESTION_STARTS = `
  what what's whats how how's why when where who who's which whose whom is isn't are aren't was wasn't were weren't does
  doesn't did didn't do_you do_i do_we do_they do_all do_any has have_you have_we have_they have_i had can_i can_we can_it
  can_the can_this can_that can could could_i could_we could_it would would_it will will_it will_the shall should
  shouldn't may might am any_idea is_there are_there can't won't wouldn't
  was_ist was_macht was_sind was wie wieso weshalb warum wann wo wer welche welcher welches kann können soll sollte
  sollen ist sind hat gibt_es macht läuft darf muss
  qu'est-ce qu'est-ce_que que_fait quoi comment pourquoi quand où qui quel quelle quels est-ce est-ce_que peut-on
  puis-je dois-je faut-il c'est_quoi à_quoi
  qué que_es cómo como_se por_qué cuándo dónde quién cuál cuáles puedo debo debería se_puede es para_qué
  o_que o_que_é como por_que quando onde quem qual posso devo é é_possível pra_que
  che_cosa che_cos'è cosa cos'è come perché quando dove chi quale posso devo si_può dovrei è
  что как почему зачем когда где кто какой какая можно_ли могу_ли стоит_ли умеет_ли работает_ли`;

export const EASTERN_QUESTIONS =
  /什么|怎么|怎样|为什么|为何|如何|吗|是否|哪个|哪些|哪里|有没有|呢[?？]?\s*$|とは|ですか|ますか|でしょうか|なぜ|どうして|どうやって|どうすれば|何が|何を|何で|いつ|どれ|どの|뭐|뭔|무엇|무슨|어떻게|왜\s|언제|어떤|나요|인가|입니까|습니까/;

/** Beginnings of a sentence about what is not the case yet. */
export const CONDITIONS = `
  if when whenever once unless whether in_case as_soon_as after before while until should_the should_it suppose assuming
  provided imagine maybe perhaps later someday tomorrow next_week next_time next_month every_time each_time
  wenn falls sobald nachdem bevor vielleicht später morgen solange
  si quand lorsque dès_que après_que avant_de peut-être plus_tard demain
  cuando en_cuanto después_de_que antes_de quizás tal_vez mañana se assim_que depois_que antes_de talvez amanhã
  quando appena dopo_che prima_di forse domani если когда как_только после_того перед может_быть завтра`;
