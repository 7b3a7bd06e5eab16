// The names that a new policy may have, and the templates of its source and test. The test fails until it is written.

/** Small letters, digits and single hyphens, so that a name cannot leave its folder. */
const WORD = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
export const LONGEST = 40;

/** Pack and name; undefined when the name is not valid. */
export function nameParts(id) {
  const parts = id.split("/");
  return parts.length === 2 && parts.every((part) => WORD.test(part) && part.length <= LONGEST) ? parts : undefined;
}

/** The call for each verdict, for the comment in the handler. */
const CALLS = {
  deny: 'ctx.deny("explained", { what })',
  ask: 'ctx.ask("explained", { what })',
  note: 'ctx.note("explained", { what })',
  notice: 'ctx.notice("explained", { what })',
  hold: 'ctx.hold("explained", { what }, { exit: "…" })',
};

export function policyTemplate({ id, stage, event, sayable }) {
  const call = CALLS[sayable.find((kind) => kind in CALLS)];
  return `import { policy } from "../../core/policy.ts";

export default policy({
  id: "${id}",
  summary: "TODO: what it does, in one sentence.",
  why: "TODO: the accident it prevents.",
  stage: "${stage}",
  messages: {
    explained: "TODO: what is wrong with {what}, and what to do instead.",
  },
  // In backticks, a shell line, or \`Write\` or \`Edit\` and a path, is also run by the test.
  examples: {
    hit: ["TODO: something it speaks up at"],
    pass: ["TODO: something similar that it leaves alone"],
  },
  on: {
    "${event}"(_event, _ctx) {
      // What can be said here: ${sayable.join(", ")}.${call ? `\n      // For example: return ${call};` : ""}
      return undefined;
    },
  },
});
`;
}

export function testTemplate(name) {
  return `import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./${name}.ts";

// \`hit\`: events at which the policy must speak up, such as
//   { name: "a plain removal", event: shell("rm notes.txt"), says: "deny", message: "explained" },
// \`pass\`: events, as similar as you can think of, at which it must say nothing.
// ../../testing/events.ts builds events: shell, writes, edits, toolBefore, toolAfter, prompt, stop, claudeEvent.
testPolicy(policy, {
  hit: [],
  pass: [],
});
`;
}
