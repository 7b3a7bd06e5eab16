import type { Ports } from "../../../core/ports.ts";

const ASK_MS = 2_000;

/** Where there is a desktop to tell; elsewhere the program is missing, and that is no error. */
export async function tellDesktop(text: string, ports: Ports, env: Readonly<Record<string, string>>): Promise<void> {
  // Some desktops read the text as markup.
  const markup = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const words = ["--app-name=hookwright", "--", "hookwright", markup];
  const { missing } = await ports.run("notify-send", words, env, ASK_MS);
  if (!missing) return;
  const quoted = JSON.stringify(text);
  await ports.run("osascript", ["-e", `display notification ${quoted} with title "hookwright"`], env, ASK_MS);
}
