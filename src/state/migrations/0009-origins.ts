/**
 * What a decision was made on beside its event, so that it can be made again: the circumstances that most events of a
 * session share, each stored once (see ../origins.ts), and those of the one event (see ../grounds.ts).
 */
export const origins = `
CREATE TABLE origins (id INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE);
ALTER TABLE journal ADD COLUMN origin INTEGER;
ALTER TABLE journal ADD COLUMN grounds TEXT NOT NULL DEFAULT '';
`;
