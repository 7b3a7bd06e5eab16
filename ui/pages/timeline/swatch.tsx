/** A sample of how spans of a kind are drawn. */
export function Swatch({ kind }: { kind: string }) {
  return (
    <svg class={`swatch kind-${kind}`} width="10" height="10" aria-hidden="true">
      <rect width="10" height="10" />
    </svg>
  );
}
