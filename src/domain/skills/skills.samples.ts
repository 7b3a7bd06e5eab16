/** A skill file with these lines of front matter. */
export const skillFile = (
  lines: readonly string[],
  body = "# Problem\n\nIt fails.\n\n# Solution\n\nRestart it.\n",
): string => ["---", ...lines, "---", body].join("\n");

export const LOGIN = skillFile(
  ["name: Fix login", "description: The login fails", "triggers: [login, session cookie]", "quality: 90"],
  "# Problem\n\nThe login fails.\n\n# Solution\n\nSet the cookie's domain.\n",
);

/** What an agent says when it has found something out. */
export const SOLVED =
  "The login failed because vite.config.ts proxied /api to the wrong port, which ended in ECONNREFUSED.\n\n" +
  "I fixed it by setting `server.proxy` to port 8080 in vite.config.ts and restarting the dev server.";
