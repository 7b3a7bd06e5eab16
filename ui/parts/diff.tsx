/** More lines than anybody reads here would only make the page slow. */
const MOST_LINES = 600;

/** A unified diff; what is added or taken away is told by its first character and by colour. */
export function Diff({ text }: { text: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, MOST_LINES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by the keyboard
    <pre class="diff" tabIndex={0}>
      {shown.map((line, index) => (
        <span key={index} class={classOf(line)}>
          {line}
          {"\n"}
        </span>
      ))}
      {lines.length > shown.length && <span class="hunk">{lines.length - shown.length} more lines</span>}
    </pre>
  );
}

function classOf(line: string): string {
  if (/^(---|\+\+\+|@@)/.test(line)) return "hunk";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
