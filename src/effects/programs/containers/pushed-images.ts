import { effect, type Family } from "../../effect.ts";
import { LOCAL_IMAGE } from "../../line/local-registry.ts";
import { has, readLoosely, valuesOf } from "../../loose-options.ts";

/** An image goes to the public unless its registry is this machine. */
export const pushedImages: Family = (command) => {
  const reading = readLoosely(
    command.argv.slice(1),
    "H host c context l log-level config platform authfile creds f file t tag build-arg p project-name o output",
  );
  const [first, second] = reading.operands.map(({ text }) => text);
  const direct = first === "push" || (/^(?:image|manifest|compose)$/.test(first ?? "") && second === "push");
  const built =
    (first === "build" || (first === "buildx" && /^(?:build|bake|b)$/.test(second ?? ""))) &&
    (has(reading, "push") || valuesOf(reading, "output").some(({ text }) => /push=true|type=registry/.test(text)));
  const images = direct ? reading.operands.slice(first === "push" ? 1 : 2) : valuesOf(reading, "t tag");
  if (!direct && !built) return [];
  if (images.length > 0 && images.every(({ text }) => LOCAL_IMAGE.test(text))) return [];
  const target = images.map(({ text }) => text).join(" ");
  return [effect("publish", command, `pushes the image ${target} to its registry`.replace("  ", " "), { target })];
};
