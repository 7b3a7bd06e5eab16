import path from "node:path";
import { type PolicyContext, policy } from "../../core/policy.ts";
import type { AskVerdict, DenyVerdict } from "../../core/verdict.ts";
import { matchesGlob } from "../../domain/loss/allowances.ts";
import { commitStatusOf } from "../../domain/secrets/commit-status.ts";
import { secretsInAnswer } from "../../domain/secrets/commits.ts";
import { type Leak, possibleLeaks } from "../../domain/secrets/possible-leaks.ts";
import { SECRET_FILE_KINDS, type SecretFileKind } from "../../domain/secrets/secret-files.ts";
import { meaningOf, type ToolEntry, toolsOption } from "../../domain/tools/tool-meaning.ts";

const ANSWERS = ["allow", "ask", "deny"] as const;
type Answer = (typeof ANSWERS)[number];
type Way = "written" | "committed" | "printed" | "posted";
type Options = Record<Way | SecretFileKind, Answer> & { fixtures: string[]; tools: ToolEntry[] };
type Message = Way | "read";
type Context = PolicyContext<Message, Options>;
type Said = AskVerdict | DenyVerdict | undefined;

export default policy({
  id: "safety/secret-leak",
  summary: "Keeps secrets out of commits, command lines and the conversation.",
  why: "A key that was committed, printed or read into the conversation is exposed and has to be replaced everywhere it is used.",
  stage: "destructive",
  filter: { kinds: ["shell", "edit", "read", "other"] },
  options: (z) => {
    const answer = (standard: Answer, what: string) =>
      z
        .enum(ANSWERS)
        .default(standard)
        .describe(`What to answer when ${what}.`)
        .meta({ tighter: "up", order: ANSWERS });
    const reads = (kind: SecretFileKind) => answer("ask", `a file with ${SECRET_FILE_KINDS[kind]} is read`);
    return z.object({
      written: answer("deny", "a secret is written into a file that git does not ignore"),
      committed: answer("deny", "a secret or a file that holds one is given to git"),
      printed: answer("ask", "a command line prints a secret that stands on it"),
      posted: answer("ask", "a command line sends a secret that stands on it to another machine"),
      keys: reads("keys"),
      cloud: reads("cloud"),
      environment: reads("environment"),
      logins: reads("logins"),
      browser: reads("browser"),
      fixtures: z
        .array(z.string().min(1))
        .default([])
        .describe("Files of the project that may hold made-up secrets, such as `test/fixtures/**`.")
        .meta({ tighter: "none" }),
      tools: toolsOption(z),
    });
  },
  messages: {
    written:
      "{path} would contain what looks like a secret ({what}), and git does not ignore that file. Put the secret into an ignored file or a secret store, and let the program read it from there.",
    committed:
      "{path} contains what looks like a secret ({what}), and a commit shows it to everyone who can read the repository. Do not commit it, and add its file to .gitignore.",
    printed:
      "This command contains what looks like a secret ({what}) and prints it, so it stays in the transcript and in logs. Let the program read it from an ignored file or the environment.",
    posted:
      "This command contains what looks like a secret ({what}) and sends it to {to}. Let the program read it from an ignored file or the environment, and send it only to the service it is for.",
    read: "{path} contains {what}. Reading it puts that into the conversation, which is sent to the model's service and stored. Safer: list only the names in it, or let the program that needs it read the file itself.",
  },
  examples: {
    hit: ["`cat ~/.ssh/id_rsa`", "`git add .env`", "`grep KEY .env`", "an access token written into `src/config.ts`"],
    pass: ["`cat ~/.ssh/id_rsa.pub`", "`cat .env.example`", "`cut -d= -f1 .env`", "`source .env`", "`git add src`"],
  },
  on: {
    "tool.before"(event, ctx) {
      if (event.tool.name === "Grep" && event.tool.input.output_mode !== "content") return undefined;
      const { userHome } = ctx.places;
      const looks = { userHome, info: ctx.info, realPath: ctx.realPath, text: ctx.read.text };
      const { events } = meaningOf(event, ctx.options.tools);
      const leaks = events.flatMap((one) => possibleLeaks(one, looks));
      return leaks.length === 0 ? undefined : strictest(leaks, ctx);
    },
  },
});

/** The first denial, else the first question. */
async function strictest(leaks: readonly Leak[], ctx: Context): Promise<Said> {
  let question: Said;
  for (const leak of leaks) {
    const said = await judge(leak, ctx);
    if (said?.kind === "deny") return said;
    question ??= said;
  }
  return question;
}

async function judge(leak: Leak, ctx: Context): Promise<Said> {
  const { options } = ctx;
  if (leak.how === "read") {
    return say(ctx, options[leak.kind], "read", { path: leak.path, what: SECRET_FILE_KINDS[leak.kind] });
  }
  if (leak.how === "commits") {
    const { folder, asks = [] } = leak.commit;
    const found = await ctx.git(folder, asks, (text, code) =>
      code === 0 ? secretsInAnswer(text, folder)[0] : undefined,
    );
    return found && say(ctx, options.committed, "committed", { path: found[0], what: found[1] });
  }
  const { how, ...data } = leak;
  if (leak.how !== "written") return say(ctx, options[how], how, data);
  const inProject = path.relative(ctx.actor.project, leak.file);
  if (options.written === "allow" || options.fixtures.some((one) => matchesGlob(one, inProject))) return undefined;
  const seen = { path: leak.path, what: leak.what };
  const kept = await commitStatusOf(leak.file, ctx);
  if (kept === "unknown") return say(ctx, "ask", how, seen);
  return kept === "kept" ? say(ctx, options.written, how, seen) : undefined;
}

function say(ctx: Context, answer: Answer, message: Message, data: Readonly<Record<string, string>>): Said {
  if (answer === "allow") return undefined;
  return answer === "deny" ? ctx.deny(message, data) : ctx.ask(message, data);
}
