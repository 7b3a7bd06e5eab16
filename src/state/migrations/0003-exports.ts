/** The stamp of each export as it was written, to detect changes from outside; and texts to append. */
export const exportStamps = `
ALTER TABLE mirrors ADD COLUMN stamp TEXT NOT NULL DEFAULT '';
CREATE TABLE appends (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  text TEXT NOT NULL,
  marker TEXT NOT NULL
);
`;
