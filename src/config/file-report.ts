import { errorEntry, fill } from "../core/errors.ts";
import { printable } from "./printable.ts";
import type { KeyPath, Yaml } from "./read-yaml.ts";

/** The largest number of reported problems, because a hostile file could have thousands. */
const MOST = 20;

/** Collects the problems of one configuration file, as sentences with positions. */
export class FileReport {
  readonly sentences: string[] = [];
  mistakes = 0;
  readonly #file: string;
  readonly #yaml: Yaml;
  #said = 0;

  constructor(file: string, yaml: Yaml) {
    this.#file = printable(file, 1_000);
    this.#yaml = yaml;
    if (yaml.kind === "mistake") this.mistake([], () => yaml.detail);
  }

  /** Reports a mistake. The text is computed only if it is within the limit. */
  mistake(path: KeyPath, detail: () => string, at: "key" | "value" = "value"): void {
    this.mistakes++;
    this.#say(path, detail, at);
  }

  /** Reports a valid setting that was not applied. */
  remark(path: KeyPath, detail: () => string): void {
    this.#say(path, detail, "key");
  }

  /** Adds a sentence about the file as a whole. */
  conclude(text: string): void {
    this.sentences.push(`${this.#file}: ${text}`);
  }

  #say(path: KeyPath, detail: () => string, at: "key" | "value"): void {
    this.#said++;
    if (this.#said === MOST + 1) this.conclude("there is more, but this is enough for once.");
    if (this.#said > MOST) return;
    const place = this.#yaml.kind === "data" ? this.#yaml.place(path, at) : this.#yaml.place;
    this.sentences.push(fill(errorEntry("HW_CONFIG_INVALID").text, { file: this.#file, ...place, detail: detail() }));
  }
}
