import type { Command } from "../../../shell/command.ts";
import { type Effect, effect, KNOWN_HARMLESS, pathsOf, type Scene } from "../../effect.ts";
import { inputText } from "../../line/line-text.ts";
import { has, readLoosely, valuesOf } from "../../loose-options.ts";

/** With one of these, ssh-keygen does something else than making a key. */
const NO_NEW_KEY = "l y p R F H e i B D K s Y L Q c k A M r";

/** ssh-keygen asks before it replaces a key. An answer that is given beforehand says that there is one. */
export function replacedKeys(command: Command, scene: Scene): readonly Effect[] {
  const reading = readLoosely(command.argv.slice(1), "f t b C N m O a Z I n V P r s D w g F R Y");
  const isAnswered =
    /^y/i.test(inputText(command, scene)?.trim() ?? "") ||
    command.upstream.some(({ program, args: [word = "y"] }) => program === "yes" && /^y/i.test(word));
  if (!isAnswered || has(reading, NO_NEW_KEY)) return KNOWN_HARMLESS;
  return valuesOf(reading, "f").flatMap((word) =>
    pathsOf(word, command, scene).map((spot) =>
      effect("overwrite", command, `replaces the key ${spot.target}`, {
        ...spot,
        instead: "give the new key another name",
      }),
    ),
  );
}
