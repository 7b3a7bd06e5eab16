/**
 * Permission requests that the daemon keeps waiting for a person, and how they ended. Ids are never given again, so an old
 * page cannot answer a new request.
 */
export const permissionRequests = `
CREATE TABLE permission_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent TEXT NOT NULL, session TEXT NOT NULL, agent_id TEXT NOT NULL, project TEXT NOT NULL, cwd TEXT NOT NULL,
  tool TEXT NOT NULL, input TEXT NOT NULL, call TEXT NOT NULL, asks TEXT NOT NULL,
  asked_at INTEGER NOT NULL, until INTEGER NOT NULL, owner TEXT NOT NULL,
  state TEXT NOT NULL, answer TEXT
);
CREATE INDEX permission_requests_open ON permission_requests (session) WHERE state = 'open';
`;
