/** The process that runs a job, so that others can detect that it has died; see ../jobs.ts. */
export const jobHolders = `
ALTER TABLE jobs ADD COLUMN holder TEXT NOT NULL DEFAULT '';
`;
