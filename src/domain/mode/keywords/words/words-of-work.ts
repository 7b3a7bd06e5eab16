import { wordsOf } from "./word-patterns.ts";

/** Words that begin an order to do work, in their imperative and infinitive forms. */

/** English forms that are also nouns: `ralph run failed` is no order, `ralph run the tests` is one. */
const NOUNS_TOO = new Set(
  wordsOf(`
  run test build review update change debug plan design research check search patch release report log monitor import
  export format lint script set cut help work process handle trace upgrade port read show print draft benchmark profile
  mock sort order group cache seed cover pass fix look start commit deploy document rework cleanup`),
);

const ENGLISH = new Set(
  wordsOf(`
  fix repair build rebuild implement reimplement refactor rewrite write add create make do finish complete continue
  develop design deliver ship release deploy publish port migrate move convert translate upgrade update bump downgrade
  improve optimize optimise speed simplify clean cleanup tidy format reformat lint test verify validate check review
  audit analyze analyse investigate debug diagnose trace find search look read study learn research explore plan split
  merge rebase commit push pull resolve solve handle process generate scaffold setup set configure install integrate
  connect wire hook extend expand support enable disable remove delete drop replace rename extract inline document
  describe summarize draft prepare prototype mock benchmark profile measure increase decrease reduce raise lower get
  bring turn keep run execute start begin work go try take give let help ensure provide show print render style theme
  localize localise internationalize secure harden sanitize sanitise escape encrypt cache parallelize parallelise batch
  schedule automate monitor log instrument restore revert undo recover reset backport squash redo rework restructure
  reorganize reorganise modularize decouple deduplicate dedupe unify consolidate normalize normalise adapt adjust align
  change edit modify tweak polish patch close tackle address treat triage sort order group filter parse compile
  transpile bundle package containerize import export sync fetch load save store persist serialize seed populate fill
  crawl scrape download upload cover achieve reach pass satisfy meet iterate grind figure hunt track eliminate use
  apply swap switch introduce expose hide trim cut shrink compress annotate typecheck modernize modernise reproduce
  bisect isolate proceed operate stay rerun retry refresh regenerate reimplement cherry-pick explain list compare
  code program script debug implement`),
);

/** Orders that are about words or about two things, not work that a mode does. */
export const NO_WORK_FOR_A_MODE = new Set(
  wordsOf(`
  explain list compare describe summarize show print rename log use let enable disable start begin get go stay switch
  turn swap help try take give`),
);

/** `Replace X with ralph`: the name is a part of what is done. */
export const TAKE_AN_OBJECT_WITH = new Set(
  wordsOf(`
  replace swap combine merge integrate connect compare align sync replace extend populate seed fill annotate prefix
  discuss share log sign start begin continue end deal agree meet talk speak chat schedule book arrange confirm
  coordinate collaborate pair rename wire hook go get proceed ersetze vergleiche verbinde remplace compare reemplaza
  compara substitua sostituisci confronta замени сравни help`),
);

const EUROPEAN = new Set(
  wordsOf(`
  repariere repariert reparieren behebe behebt beheben fixe fixen baue bau bauen implementiere implementieren schreibe
  schreib schreiben mache mach machen erstelle erstellen erzeuge refaktoriere refaktorieren teste testen korrigiere
  korrigieren ändere ändern optimiere optimieren aktualisiere aktualisieren löse lösen räume aufräumen migriere
  migrieren ergänze ergänzen füge hinzufügen entferne entfernen verbessere verbessern überarbeite überarbeiten setze
  umsetzen beende bringe portiere portieren prüfe prüfen erledige erledigen übersetze arbeite bearbeite
  исправь исправьте исправить почини почините починить сделай сделайте сделать напиши напишите написать реализуй
  реализуйте реализовать добавь добавьте добавить построй постройте создай создайте создать отрефактори перепиши
  перепишите обнови обновите обновить протестируй реши решите доделай доделайте закончи проверь проверьте улучши
  оптимизируй перенеси удали собери переведи`),
);

/** Forms that are a statement as well (`ralph corrige le login`): an object with an article must follow the name. */
const ROMANCE = new Set(
  wordsOf(`
  corrige corrigez corriger répare réparez réparer implémente implémentez implémenter construis construisez construire
  crée créez créer fais faites faire écris écrivez écrire refactorise refactorisez refactoriser ajoute ajoutez ajouter
  résous résolvez résoudre termine terminez terminer mets mettez mettre teste testez tester optimise optimisez migre
  migrez migrer améliore améliorez améliorer développe développez développer travaille
  arregla arregle arreglar corrige corrija corregir repara repare reparar implementa implemente implementar construye
  construya construir crea cree crear haz haga hacer escribe escriba escribir refactoriza refactorice refactorizar añade
  añada añadir agrega agregue agregar soluciona solucione solucionar resuelve resuelva resolver termina termine terminar
  actualiza actualice actualizar prueba pruebe probar optimiza optimice migra migre migrar mejora mejore mejorar
  trabaja completa desarrolla
  corrigir conserta conserte consertar arrume arruma arrumar crie cria criar construa construir faça faz fazer escreva
  escrever refatore refatorar adicione adicionar resolva resolver atualize atualizar otimize otimizar melhore melhorar
  trabalhe conclua complete
  correggi correggete correggere sistema sistemate sistemare ripara riparare implementare costruisci costruire crea
  creare fai fate fare scrivi scrivere rifattorizza aggiungi aggiungere risolvi risolvere completare aggiorna aggiornare
  ottimizza ottimizzare migrare migliora migliorare lavora sviluppa`),
);

export type WorkWord = "plain" | "noun too" | "romance";

/** Does the word begin an order to do work, and how sure is that? */
export function workWord(word: string): WorkWord | undefined {
  const plain = word.toLowerCase();
  if (NOUNS_TOO.has(plain)) return "noun too";
  if (ENGLISH.has(plain) || EUROPEAN.has(plain)) return "plain";
  return ROMANCE.has(plain) ? "romance" : undefined;
}

/** Verbs that start a mode when its name follows: `use ralph`. */
export const USES = `
  use run start launch activate enable engage invoke trigger try do go employ initiate turn_on switch_on switch_to
  switch_over_to fire_up kick_off spin_up go_with go_into go_for put_on
  benutze benutz benutzen_Sie verwende verwenden_Sie nutze nutz nutzen_Sie starte starten_Sie aktiviere nimm nehmen_Sie
  arbeite_mit wechsle_zu wechsle_in wechsel_in schalte_auf
  utilise utilisez utiliser lance lancez lancer démarre démarrez démarrer active activez activer emploie employez
  exécute exécutez exécuter passe_en fais_tourner sers-toi_de
  usa usen usar utiliza utilice utilizar ejecuta ejecute ejecutar inicia inicie iniciar arranca arranque arrancar activa
  active activar lanza lance lanzar cambia_a pon
  utilize executa execute executar roda rode rodar ative ativa ativar
  usi usare utilizza utilizzi utilizzare avvia avvii avviare esegui esegua eseguire attiva attivi attivare lancia lanci
  lanciare passa_a
  используй используйте использовать запусти запустите запустить включи включите включить примени примените применить
  активируй активируйте возьми`;

/** Between such a verb and the name. */
export const ARTICLES = `
  the a an my our this another one der die das den dem ein einen eine mal bitte jetzt le la l' un une el los o a os um uma
  il lo mode modo modus modalità режим new fresh full quick single long second now please again just`;
