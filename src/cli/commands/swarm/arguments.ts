import { HookwrightError } from "../../../core/errors.ts";
import type { CommandContext } from "../../command.ts";

type Options = CommandContext["options"];

const LONGEST_NAME = 100;
const LONGEST_TEXT = 10_000;
const MOST_AGENTS = 1_000;

export function swarmUsageError(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "swarm" });
}

/** The arguments and options of an action. Reading a missing or invalid one throws an error that names the action. */
export class SwarmArguments {
  readonly #action: string;
  readonly #words: readonly string[];
  readonly #options: Options;

  constructor(action: string, words: readonly string[], options: Options) {
    this.#action = action;
    this.#words = words;
    this.#options = options;
  }

  get id(): string {
    const [id, ...more] = this.#words;
    if (id === undefined || more.length > 0) throw swarmUsageError(`\`${this.#action}\` needs the ID of one task.`);
    return id;
  }

  /** Joins several words, so that a text needs no quotes. */
  get text(): string {
    const text = this.#words.join(" ").trim();
    if (text === "") throw swarmUsageError(`\`${this.#action}\` needs a text that says what to do.`);
    return assertShort(text, "The text");
  }

  get agent(): string {
    const name = this.#string("agent")?.trim();
    if (name === undefined) throw swarmUsageError(`\`${this.#action}\` needs \`--agent NAME\`.`);
    if (name === "" || name.length > LONGEST_NAME || /\p{C}/u.test(name)) {
      throw swarmUsageError(`The name of an agent has 1 to ${LONGEST_NAME} visible characters.`);
    }
    return name;
  }

  get agents(): number | undefined {
    return this.#number("agents", 1, MOST_AGENTS);
  }

  get after(): readonly string[] {
    const { after } = this.#options;
    return Array.isArray(after) ? after.map(String) : typeof after === "string" ? [after] : [];
  }

  get priority(): number {
    return this.#number("priority", -1_000_000, 1_000_000) ?? 0;
  }

  get epoch(): number | undefined {
    return this.#number("epoch", 1, Number.MAX_SAFE_INTEGER);
  }

  remark(option: "result" | "why"): string | undefined {
    const text = this.#string(option);
    return text === undefined ? undefined : assertShort(text, `The text of \`--${option}\``);
  }

  #string(option: string): string | undefined {
    const value = this.#options[option];
    return typeof value === "string" ? value : undefined;
  }

  #number(option: string, least: number, most: number): number | undefined {
    const text = this.#string(option);
    if (text === undefined) return undefined;
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw swarmUsageError(`\`--${option}\` needs a whole number from ${least} to ${most}, and \`${text}\` is none.`);
  }
}

function assertShort(text: string, what: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  throw swarmUsageError(
    `${what} has ${text.length} characters; at most ${LONGEST_TEXT} are kept. Put the rest into a file.`,
  );
}
