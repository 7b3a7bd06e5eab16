import type { Command } from "../command.ts";
import type { Flow } from "../expand/flow.ts";

/** What the exit status of the whole line proves about its commands. */
export interface Conclusions {
  readonly ran: readonly Command[];
  readonly succeeded: readonly Command[];
}

type Status = boolean | undefined;

/** A shell process, which ends with one status. */
interface Process {
  /** It ended with success, so nothing that ends it with a failure can have run. */
  readonly ok: boolean;
  /** It may have ended before the point that the walk has reached. */
  left: boolean;
}

/**
 * Walks the control flow in the order of the shell, and derives the status of each part from the status of the whole.
 * It concludes only what bash guarantees: a command ran if every path to this status contains it.
 */
export function conclude(flow: Flow, ok: boolean): Conclusions {
  const walk = new Walk();
  walk.visit(flow, true, ok, { ok, left: false }, false);
  return { ran: [...walk.ran], succeeded: [...walk.succeeded] };
}

class Walk {
  readonly ran = new Set<Command>();
  readonly succeeded = new Set<Command>();

  /**
   * @param reached whether this point is surely reached
   * @param status the status it ends with, if it is reached
   * @param exempt whether a failure here never ends the shell, even under `set -e`
   */
  visit(flow: Flow, reached: boolean, status: Status, process: Process, exempt: boolean): void {
    const sure = reached && !process.left;
    const known = sure ? status : undefined;
    switch (flow.kind) {
      case "command":
        this.#command(flow, sure, known, process, exempt);
        return;
      case "sequence":
        this.#sequence(flow, sure, known, process, exempt);
        return;
      case "chain":
        this.#chain(flow, sure, known, process, exempt);
        return;
      case "not":
        // Had it ended the shell inside, that status would not have been turned round.
        this.visit(flow.item, sure, known === undefined || leaves(flow.item) ? undefined : !known, process, true);
        return;
      case "pipeline":
        this.#pipeline(flow, sure, known, exempt);
        return;
      case "shell":
        this.visit(flow.item, sure, known, { ok: known === true, left: false }, exempt);
        return;
      case "if":
        this.#if(flow, sure, known, process, exempt);
        return;
      case "maybe":
        this.#maybe(flow, process);
        return;
      case "redirected":
        this.visit(flow.command, sure, known === true ? true : undefined, process, exempt);
        this.visit(flow.item, sure && (known === true || !flow.risky), known, process, exempt);
        return;
      case "nothing":
        for (const item of flow.before) this.visit(item, sure && (!flow.risky || process.ok), undefined, process, true);
        if (flow.risky && !process.ok) process.left = true;
    }
  }

  #command(
    flow: Extract<Flow, { kind: "command" }>,
    sure: boolean,
    status: Status,
    process: Process,
    exempt: boolean,
  ): void {
    // Another expansion may end the shell before this one.
    const expanded = sure && (!flow.fragile || process.ok);
    for (const item of flow.before) this.visit(item, expanded, flow.statusOfBefore ? status : undefined, process, true);
    const started = sure && (status === true || (!flow.risky && (!flow.fragile || process.ok)));
    if (started) this.ran.add(flow.command);
    if (sure && status === true) this.succeeded.add(flow.command);
    if (flow.inner) {
      const inside = flow.passesStatus ? status : undefined;
      const reached = flow.passesStatus ? (flow.inPlace ? started : inside === true) : false;
      this.visit(flow.inner, reached, inside, process, exempt);
    }
    if (flow.escape === "fail" ? !process.ok : flow.escape !== "none") process.left = true;
  }

  #sequence(
    flow: Extract<Flow, { kind: "sequence" }>,
    sure: boolean,
    status: Status,
    process: Process,
    exempt: boolean,
  ): void {
    for (const [index, item] of flow.items.entries()) {
      const strict = flow.errexit[index] ?? "off";
      const last = index === flow.items.length - 1;
      const given = last ? status : undefined;
      // Under `set -e` a failing statement would have ended the shell with a failure.
      const forced = strict === "on" && process.ok && !exempt && endsOnFailure(item);
      this.visit(item, sure, given ?? (forced ? true : undefined), process, exempt);
      if (strict !== "off" && !process.ok) process.left = true;
    }
  }

  #chain(
    flow: Extract<Flow, { kind: "chain" }>,
    sure: boolean,
    status: Status,
    process: Process,
    exempt: boolean,
  ): void {
    const { items, operators } = flow;
    const claims: { reached: boolean; status: Status }[] = items.map(() => ({ reached: false, status: undefined }));
    let whole = status;
    for (let index = items.length - 1; index > 0; index--) {
      const item = items[index];
      const and = operators[index - 1] === "&&";
      if (!item) continue;
      const excluded = (process.ok && neverOk(item)) || (whole === true && alwaysFails(item));
      if (whole === and) {
        // Success of `a && b` needs both, failure of `a || b` too.
        claims[index] = { reached: true, status: whole };
      } else if (excluded) {
        whole = !and;
      } else {
        whole = undefined;
      }
    }
    claims[0] = { reached: true, status: whole };
    for (const [index, item] of items.entries()) {
      const claim = claims[index];
      const last = index === items.length - 1;
      this.visit(item, sure && claim?.reached === true, claim?.status, process, exempt || !last);
    }
  }

  #pipeline(flow: Extract<Flow, { kind: "pipeline" }>, sure: boolean, status: Status, exempt: boolean): void {
    for (const [index, item] of flow.items.entries()) {
      const last = index === flow.items.length - 1;
      const own = last ? flow.pipefail === "off" || status === true : flow.pipefail === "on" && status === true;
      const given = own ? status : undefined;
      this.visit(item, sure, given, { ok: given === true, left: false }, exempt);
    }
  }

  #if(flow: Extract<Flow, { kind: "if" }>, sure: boolean, status: Status, process: Process, exempt: boolean): void {
    const impossible = (body: Flow) => (process.ok && neverOk(body)) || (status === true && alwaysFails(body));
    const ways = flow.branches.map(({ body }) => !impossible(body));
    ways.push(flow.otherwise ? !impossible(flow.otherwise) : status !== false);
    const taken = ways.filter(Boolean).length === 1 ? ways.indexOf(true) : undefined;
    for (const [index, { test, body }] of flow.branches.entries()) {
      const tested = index === 0 || (taken !== undefined && index <= taken);
      const result = taken === undefined || index > taken || leaves(test) ? undefined : index === taken;
      this.visit(test, sure && tested, result, process, true);
      this.visit(body, sure && taken === index, taken === index ? status : undefined, process, exempt);
    }
    const rest = taken === flow.branches.length;
    if (flow.otherwise) this.visit(flow.otherwise, sure && rest, rest ? status : undefined, process, exempt);
  }

  #maybe(flow: Extract<Flow, { kind: "maybe" }>, process: Process): void {
    const before = process.left;
    const inner: Process = { ok: process.ok, left: true };
    for (const item of flow.items) this.visit(item, false, undefined, inner, true);
    process.left = before || flow.items.some((item) => mayLeave(item, process.ok, flow.absorbs));
  }
}

/** Statements whose failure ends a shell under `set -e`. */
function endsOnFailure(flow: Flow): boolean {
  return flow.kind === "command" || flow.kind === "pipeline" || flow.kind === "shell" || flow.kind === "redirected";
}

/** Whether the shell may end inside this part. */
function leaves(flow: Flow): boolean {
  return mayLeave(flow, false, "none");
}

function mayLeave(flow: Flow, ok: boolean, absorbed: "return" | "break" | "all" | "none"): boolean {
  if (absorbed === "all") return false;
  const inside = (item: Flow) => mayLeave(item, ok, absorbed);
  switch (flow.kind) {
    case "command":
      if (flow.escape !== "none" && flow.escape !== absorbed && !(flow.escape === "fail" && ok)) return true;
      return flow.inPlace && flow.inner !== undefined && inside(flow.inner);
    case "sequence":
      return (!ok && flow.errexit.some((state) => state !== "off")) || flow.items.some(inside);
    case "chain":
      return flow.items.some(inside);
    case "not":
    case "redirected":
      return inside(flow.item);
    case "if":
      return (
        flow.branches.some(({ test, body }) => inside(test) || inside(body)) ||
        (flow.otherwise !== undefined && inside(flow.otherwise))
      );
    case "maybe":
      return flow.items.some((item) => mayLeave(item, ok, flow.absorbs === "none" ? absorbed : flow.absorbs));
    case "nothing":
      return flow.risky && !ok;
    case "pipeline":
    case "shell":
      return false;
  }
}

/** Whether this part always ends the shell with a failure. */
function neverOk(flow: Flow): boolean {
  if (flow.kind === "command") return flow.escape === "fail" && flow.status === false && !flow.risky;
  if (flow.kind !== "sequence") return false;
  for (const item of flow.items) {
    if (neverOk(item)) return true;
    if (mayLeave(item, true, "none")) return false;
  }
  return false;
}

function alwaysFails(flow: Flow): boolean {
  return neverOk(flow) || (flow.kind === "command" && flow.status === false && flow.escape === "none");
}
