/** Entries that a person has marked as false alarms. The time is that of the entry, because ids are given again. */
export const falseAlarms = `
CREATE TABLE false_alarms (journal INTEGER PRIMARY KEY, at INTEGER NOT NULL, policy TEXT NOT NULL);
`;
