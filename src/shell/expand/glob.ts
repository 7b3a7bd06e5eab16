/** Whether a shell pattern matches a whole text. Takes time proportional to both lengths, without backtracking. */
export function globMatches(pattern: string, text: string): boolean {
  let ends = new Set([0]);
  for (const piece of pieces(pattern)) {
    const next = new Set<number>();
    for (const at of ends) {
      if (piece === "*") for (let end = at; end <= text.length && !next.has(end); end++) next.add(end);
      else if (at < text.length && fitsOne(piece, text[at] ?? "")) next.add(at + 1);
    }
    if (next.size === 0) return false;
    ends = next;
  }
  return ends.has(text.length);
}

function pieces(pattern: string): readonly string[] {
  return pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|[\s\S]/g) ?? [];
}

function fitsOne(piece: string, char: string): boolean {
  if (piece === "?") return true;
  if (!piece.startsWith("[") || piece.length < 3) return (piece.startsWith("\\") ? piece[1] : piece) === char;
  const negated = piece[1] === "!" || piece[1] === "^";
  const inside = piece.slice(negated ? 2 : 1, -1);
  let found = false;
  for (let at = 0; at < inside.length; at++) {
    const [from = "", dash, to = ""] = inside.slice(at, at + 3);
    if (dash === "-" && to !== "") {
      found ||= from <= char && char <= to;
      at += 2;
    } else found ||= from === char;
  }
  return found !== negated;
}
