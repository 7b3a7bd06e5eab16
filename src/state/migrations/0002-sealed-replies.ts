/** Of an answer that held a secret the journal has a masked copy only; see `seal`. */
export const sealedReplies = "ALTER TABLE keys ADD COLUMN sealed TEXT";
