/** A part of a text that may be shortened: whole lines at its end are left out. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** How many characters it may have. */
  readonly most: number;
  /** Where all of its lines are. */
  readonly source: string;
}

const LONGEST_REMARK = 48;

/** `head`, as much of the sections as fits, and `tail`, together at most `most` characters if head and tail allow it. */
export function fitText(head: string, sections: readonly Section[], tail: string, most: number): string {
  let room = most - head.length - tail.length - 2;
  const texts: string[] = [];
  for (const section of sections) {
    const text = fitSection(section, Math.min(room, section.most));
    if (text === "") continue;
    texts.push(text);
    room -= text.length + 1;
  }
  return [head, ...texts, tail].filter((text) => text !== "").join("\n");
}

function fitSection({ title, lines, source }: Section, most: number): string {
  const whole = [title, ...lines].join("\n");
  if (lines.length === 0 || whole.length <= most) return lines.length === 0 ? "" : whole;
  const kept = [title];
  let room = most - title.length - LONGEST_REMARK;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  if (kept.length === 1) return "";
  return [...kept, `- ${lines.length + 1 - kept.length} more in ${source}`].join("\n");
}
