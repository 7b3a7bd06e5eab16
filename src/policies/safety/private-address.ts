import { policy } from "../../core/policy.ts";
import { matchesGlob } from "../../domain/loss/allowances.ts";
import { hostOf, type PrivateKind, privateKind } from "../../domain/tools/private-address.ts";
import { meaningOf, toolsOption } from "../../domain/tools/tool-meaning.ts";

const ANSWERS = ["allow", "ask", "deny"] as const;

const WHAT: Readonly<Record<PrivateKind, string>> = {
  metadata: "a cloud metadata service",
  loopback: "this machine",
  "link-local": "the link-local network",
  private: "a private network",
  internal: "an internal network",
};

export default policy({
  id: "safety/private-address",
  summary: "Denies fetching from a cloud metadata service and, if configured, from private networks.",
  why: "A web page can make an agent fetch the address that returns the machine's own credentials, or a service that trusts every caller inside the network.",
  stage: "security",
  filter: { kinds: ["other"] },
  options: (z) => {
    const answer = (standard: (typeof ANSWERS)[number], what: string) =>
      z.enum(ANSWERS).default(standard).describe(what).meta({ tighter: "up", order: ANSWERS });
    return z.object({
      metadata: answer("deny", "What to answer when a cloud's metadata service is fetched."),
      private: answer("allow", "What to answer for private ranges, link-local addresses and internal names."),
      loopback: answer("allow", "What to answer for this machine itself, as in development."),
      allow: z
        .array(z.string().min(1))
        .default([])
        .describe("Hosts that may be fetched anyway; `*` stands for anything.")
        .meta({ tighter: "none" }),
      tools: toolsOption(z),
    });
  },
  messages: {
    refused:
      "{host} is an address of {what}, so it was not fetched: it may return credentials or internal data. Fetch a public address, or tell the person what you need from there.",
    question: "{host} is an address of {what}. Should it be fetched? Public addresses are fetched without a question.",
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
        if (kind === undefined || host === undefined || options.allow.some((one) => matchesGlob(one, host))) continue;
        const answer = options[kind === "metadata" || kind === "loopback" ? kind : "private"];
        const data = { host, what: WHAT[kind] };
        if (answer === "deny") return ctx.deny("refused", data);
        if (answer === "ask") return ctx.ask("question", data);
      }
      return undefined;
    },
  },
});
