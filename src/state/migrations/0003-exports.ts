/** Exports know what they looked like when written, so that a change from outside is seen; and texts to append. */
export const exportStamps = `
ALTER TABLE mirrors ADD COLUMN stamp TEXT NOT NULL DEFAULT '';
CREATE TABLE appends (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  text TEXT NOT NULL,
  marker TEXT NOT NULL
);
`;
