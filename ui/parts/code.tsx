/** Text of an agent or a tool in full: wrapped, never cut silently. */
export function Code({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by the keyboard
    <pre class="code" tabIndex={0}>
      {text}
    </pre>
  );
}
