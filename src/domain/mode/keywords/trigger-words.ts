/**
 * Every prompt that means anything for a mode has one of these in it. Most prompts have none, and are not read any
 * further.
 */
const TRIGGERS = new RegExp(
  [
    "ralph|auto[ -]?pilot|full[ -]auto|fullsend|ultra-?(?:pilot|work|qa)|ulw|save-tokens|eco-?mode|omc\\b",
    "\\buw\\b|pipeline|swarm|(?:eco|autonomous|efficient|budget)(?:\\s?[:：]|[ -]?(?:mod[eou]|模式|モード|모드))",
    "(?:mod[eou]s?|modalità|режиме?)\\s+(?:eco|autonomous|efficient|budget)|modes?\\b|modi\\b|режимы|stop\\b",
    "must complete|until\\b|(?:build|create|make) me\\b|want an?\\b|handle it all|end[ -]to[ -]end|e2e this",
    "parallel build|coordinated agents|chain agents",
    "ralplan|plan this|tdd\\b|test[ -]first|red[ -]green|research|deep[ -]?(?:search|analy)",
    "search|find|investigate|debug|analy[sz]e data",
  ].join("|"),
  "i",
);

export function mayMeanAMode(prompt: string): boolean {
  return TRIGGERS.test(prompt);
}
