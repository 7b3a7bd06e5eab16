import { policy } from "../../core/policy.ts";
import { fits } from "../../domain/loss/allowed.ts";
import { meaningOf, toolsOption } from "../../domain/tools/declared.ts";
import { hostOf, type PrivateKind, privateKind } from "../../domain/tools/private-address.ts";

const ANSWERS = ["allow", "ask", "deny"] as const;

const WHAT: Readonly<Record<PrivateKind, string>> = {
  metadata: "a cloud's metadata service",
  loopback: "this machine",
  "link-local": "the local link",
  private: "a private network",
  internal: "an internal network",
};

export default policy({
  id: "safety/private-address",
  summary: "Keeps fetching tools away from a cloud's metadata service and, if you want, from private networks.",
  why: "A page can talk an agent into fetching the address that hands out the machine's own credentials, or a service that trusts whoever is inside.",
  stage: "security",
  filter: { kinds: ["other"] },
  options: (z) => {
    const answer = (standard: (typeof ANSWERS)[number], what: string) =>
      z.enum(ANSWERS).default(standard).describe(what).meta({ tighter: "up", order: ANSWERS });
    return z.object({
      metadata: answer("deny", "What to answer when a cloud's metadata service is fetched."),
      private: answer("allow", "What to answer for private ranges, the local link and internal names."),
      loopback: answer("allow", "What to answer for this machine itself, as in development."),
      allow: z
        .array(z.string().min(1))
        .default([])
        .describe("Hosts that may be fetched all the same; `*` stands for anything.")
        .meta({ tighter: "none" }),
      tools: toolsOption(z),
    });
  },
  messages: {
    refused:
      "{host} leads to {what}, which answers with credentials or to whoever is inside. Fetch a public address, or tell the person what you need from there.",
    question: "{host} leads to {what}. Should it be fetched? A public address needs no question.",
  },
  examples: {
    hit: ["WebFetch of `http://169.254.169.254/latest/meta-data/`", "WebFetch of `http://[::ffff:a9fe:a9fe]/`"],
    pass: ["WebFetch of `https://example.com`", "WebFetch of `http://localhost:3000`", "`curl http://localhost:3000`"],
  },
  on: {
    "tool.before"(event, ctx) {
      const { options } = ctx;
      for (const url of meaningOf(event, options.tools).urls) {
        const kind = privateKind(url);
        const host = hostOf(url);
        if (kind === undefined || host === undefined || options.allow.some((one) => fits(one, host))) continue;
        const answer = options[kind === "metadata" || kind === "loopback" ? kind : "private"];
        const data = { host, what: WHAT[kind] };
        if (answer === "deny") return ctx.deny("refused", data);
        if (answer === "ask") return ctx.ask("question", data);
      }
      return undefined;
    },
  },
});
