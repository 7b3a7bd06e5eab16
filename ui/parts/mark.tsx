/** A state or ruling has a shape and its word, so that nobody depends on the colour; styles/marks.css has the shapes. */
export function Mark({ word }: { word: string }) {
  return (
    <span class="mark" data-word={word}>
      {word}
    </span>
  );
}
