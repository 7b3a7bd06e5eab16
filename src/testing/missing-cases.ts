import type { Policy } from "../core/policy.ts";
import type { PolicyCases } from "./test-policy.ts";

/** What is missing in a policy and its cases, in sentences for its author. */
export function missingCases(policy: Policy, { hit, pass }: PolicyCases): string[] {
  const messages = Object.keys(policy.messages);
  const saidIn = hit.flatMap(({ name, message, also = [] }) =>
    [message, ...also.map((one) => one.message)].map((said) => ({ name, message: said })),
  );
  const names = [...hit, ...pass].map(({ name }) => name);
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  const texts = {
    summary: policy.summary,
    why: policy.why,
    messages: Object.values(policy.messages).join(" "),
    examples: [...policy.examples.hit, ...policy.examples.pass].join(" "),
  };
  const open = Object.entries(texts).filter(([, text]) => text.includes("TODO"));
  return [
    ...open.map(([field]) => `Write its \`${field}\`: there is still a TODO in it.`),
    ...messages
      .filter((message) => !saidIn.some((one) => one.message === message))
      .map((message) => `No case says \`${message}\`: add an event to \`hit\` at which the policy says it.`),
    ...saidIn
      .filter(({ message }) => !messages.includes(message))
      .map(({ name, message }) => `The case "${name}" expects \`${message}\`, which is not among its messages.`),
    ...(pass.length === 0 ? ["Nothing passes: add an event to `pass` at which the policy says nothing."] : []),
    ...twice.map((name) => `Two cases are called "${name}".`),
  ];
}
