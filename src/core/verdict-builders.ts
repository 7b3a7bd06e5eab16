import { DEFAULT_HOLD_LIMIT } from "./arbiter.ts";
import { fill } from "./errors.ts";
import type { MessageData, PolicyContext } from "./policy.ts";
import type { VerdictKind } from "./verdict.ts";

/** The part of a context with which a policy speaks. */
export type VerdictBuilders = Pick<PolicyContext, VerdictKind>;

/** Each fills one of the policy's own messages. */
export function verdictBuilders(messages: Readonly<Record<string, string>>): VerdictBuilders {
  const worded = <K extends VerdictKind>(kind: K, message: string, data: MessageData = {}) => ({
    kind,
    message,
    data,
    text: fill(messages[message] ?? message, data),
  });
  return {
    deny: (message, data, retry = "never") => ({ ...worded("deny", message, data), retry }),
    ask: (message, data) => worded("ask", message, data),
    note: (message, data, pointer) => ({ ...worded("note", message, data), ...(pointer ? { pointer } : {}) }),
    notice: (message, data, how) => ({
      ...worded("notice", message, data),
      ...(how ? { ifPassed: true } : {}),
      ...(how === "alert" ? { isAlert: true } : {}),
    }),
    hold(message, data, options) {
      // Policies of a project may be plain JavaScript, where no compiler asks for it.
      if (!options)
        throw new TypeError(`ctx.hold("${message}", data, { exit }) needs \`exit\`: how a person ends the hold`);
      return {
        ...worded("hold", message, data),
        strength: options.strength ?? "hard",
        rank: options.rank ?? 100,
        progress: options.progress ?? "",
        limit: options.limit ?? DEFAULT_HOLD_LIMIT,
        exit: options.exit,
        ...(options.once ? { once: true } : {}),
      };
    },
    release: (message, policies, data) => ({ ...worded("release", message, data), policies }),
    rewrite: (message, value, data) => ({ ...worded("rewrite", message, data), value }),
    approve: (message, data) => worded("approve", message, data),
    wait: (message, data) => worded("wait", message, data),
    end: (message, data) => worded("end", message, data),
    watch: (message, paths, data) => ({ ...worded("watch", message, data), paths }),
    environment: (message, variables, data) => ({ ...worded("environment", message, data), variables }),
  };
}
