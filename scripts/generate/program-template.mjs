// What a program may be called, what its file is called, and what its unit starts as.

const NAME = /^[A-Za-z0-9][\w.-]*$/;
export const LONGEST = 40;

/** The program's name in small letters with hyphens; undefined when no program can be called so. */
export function fileNameOf(name) {
  if (!NAME.test(name) || name.length > LONGEST) return undefined;
  return name.toLowerCase().replace(/[._]+/g, "-");
}

/** A unit without rules and examples: its test fails until there are some. */
export function programTemplate({ name, kind }) {
  return `import { program } from "../../program.ts";

export default program({
  names: ["${name}"],
  kind: "${kind}",
  // Options whose value is the next word, without dashes: "a app c config".
  values: "",
  // Words, and a phrase in which {} stands for what follows them: ["apps|volumes destroy", "destroys {}"].
  rules: [],
  examples: {
    // Lines that must be asked about, at least one for every rule.
    hit: [],
    // Lines, as similar as possible, that must not.
    pass: [],
  },
});
`;
}
