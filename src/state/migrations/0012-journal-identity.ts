/** Tells this journal from one that is begun anew after the database was lost: both count their entries from 1. */
export const journalIdentity = `
CREATE TABLE journal_identity (id TEXT NOT NULL);
INSERT INTO journal_identity (id) VALUES (lower(hex(randomblob(16))));
`;
