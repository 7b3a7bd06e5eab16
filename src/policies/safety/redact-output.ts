import { policy } from "../../core/policy.ts";
import { kindsText, redactedOutput, secretKindsIn, totalOf } from "../../domain/secrets/redacted-output.ts";

export default policy({
  id: "safety/redact-output",
  summary: "Removes secrets from the output of tools before the model sees it.",
  why: "A log, a dump or a configuration file may contain a key that nobody expected there. Once the model has read it, the key is in the conversation, which is sent to the model's service and stored.",
  stage: "security",
  defaultMode: "off",
  // The model wrote the text of an edit itself.
  filter: { kinds: ["shell", "read", "spawn", "other"] },
  messages: {
    removed:
      "{count} removed from the output of {tool}, because the text looks like a secret: {kinds}. In its place stands `[removed: …]`, which is not in the file. To use the value, let a program read it where it is, and do not print it.",
    stays:
      "The error of a failed {tool} call contains what looks like a secret ({kinds}). The agent shows the model such errors as they are, so the model has seen it: replace that secret where it is used.",
  },
  examples: {
    hit: ["the output of `env` with an access token in it", "a file with a private key that is read"],
    pass: ["the output of `ls`", "a file with a made-up key, such as `your-key-here`"],
  },
  on: {
    "tool.after"(event, ctx) {
      const redacted = redactedOutput(event.response);
      if (!redacted) return undefined;
      const total = totalOf(redacted.kinds);
      const data = {
        count: total === 1 ? "1 value was" : `${total} values were`,
        tool: event.tool.name,
        kinds: kindsText(redacted.kinds),
      };
      return [ctx.rewrite("removed", redacted.output, data), ctx.note("removed", data)];
    },
    "tool.failed"(event, ctx) {
      const kinds = secretKindsIn(event.error);
      return kinds.size === 0 ? undefined : ctx.notice("stays", { tool: event.tool.name, kinds: kindsText(kinds) });
    },
  },
});
