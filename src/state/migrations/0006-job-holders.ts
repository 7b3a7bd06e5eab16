/** Which process does a job, so that others can see when it has died; see ../jobs.ts. */
export const jobHolders = `
ALTER TABLE jobs ADD COLUMN holder TEXT NOT NULL DEFAULT '';
`;
