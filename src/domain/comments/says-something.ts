/** What a tool reads. */
const DIRECTIVE = new RegExp(
  "^(?:@?ts-(?:ignore|expect-error|nocheck|check)|eslint(?:-\\w+)*(?=\\s|$)|prettier-ignore|biome-ignore|type:|noqa|" +
    "(?:pyright|ruff|mypy|pylint|flake8|pytype|shellcheck|yamllint|rubocop|isort|fmt|nosec|pragma)(?:[: ]|$)|pyre-|" +
    "clippy::|(?:allow|deny|warn|forbid)\\(|nolint|go:\\w+|\\+build|coverage|c8 |v8 |istanbul |#?(?:end)?region\\b|" +
    "<\\/?reference|-\\*-|vim:|frozen_string_literal:|[#@]__PURE__|sourceMappingURL|webpack\\w+:|@vite-ignore|vite-ignore)",
  "i",
);
const LICENCE = /copyright|licen[sc]e|spdx-|all rights reserved|©/i;
const MARKED = /\b(?:TODO|FIXME|HACK|XXX|NOTE|REVIEW)\b|^(?:[Tt]odo|[Ff]ixme|[Hh]ack|xxx|[Nn]ote|[Rr]eview)\s*[:(]/;
/** The parts of a test: the word alone, several of them, or a sentence that it begins with a colon. */
const STEP = "(?:given|when|then|and|but|arrange|act|assert)";
const STEPS = new RegExp(`^${STEP}(?:\\s*(?:[/&+,]|and)\\s*${STEP})*\\s*(?:$|[:.–—-])`, "i");
const STEP_FIRST = new RegExp(`^${STEP}\\b`, "i");
/** Documentation that tools read. */
const TAGS =
  /(?:^|\s)@[a-z]\w*|:(?:param|returns?|raises|type)\b|\b(?:Args|Returns|Raises|Yields|Parameters|Examples):/;
/** Gives a reason, a condition or a place to look at. */
const REASON =
  /\b(?:because|so that|otherwise|unless|instead|in case|due to|avoid\w*|prevent\w*|work ?around|must|never|cannot|although|even (?:if|though)|however|rather than|only|see|as long as|in order to|on purpose|intentional\w*|deliberate\w*)\b|n't\b|\bdo not\b|[,;] so\b|https?:|\bRFC ?\d|#\d+|\b[A-Z]{2,}-\d+\b/i;

/** Does a comment say what the code cannot? In a test, sentences that begin with a step of it do. */
export function saysSomething(text: string, isTest: boolean): boolean {
  // A row of dashes or stars only separates.
  if (!/[\p{L}\p{N}]/u.test(text)) return text.length < 3;
  return (
    DIRECTIVE.test(text) ||
    LICENCE.test(text) ||
    MARKED.test(text) ||
    STEPS.test(text) ||
    (isTest && STEP_FIRST.test(text)) ||
    TAGS.test(text) ||
    REASON.test(text)
  );
}
