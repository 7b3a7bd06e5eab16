// docs/errors.md, from the one table of errors.
import { code, codes, page, plain, section, table } from "./markdown.mjs";

export function errorsPage({ errorCodes, errorEntry, RETIRED_CODES }) {
  const rows = [...errorCodes].sort().map((name) => {
    const { text, fix } = errorEntry(name);
    return [code(name), plain(text), plain(fix)];
  });
  return page(
    "Errors",
    "Every error that a person can meet has a code, which stands at the end of what is printed. Words in braces are filled",
    "in. A code keeps its meaning for ever.",
    "",
    table(["code", "what is said", "what to do"], rows),
    "",
    section("Retired", RETIRED_CODES.length > 0 ? [codes([...RETIRED_CODES].sort())] : []),
  );
}
