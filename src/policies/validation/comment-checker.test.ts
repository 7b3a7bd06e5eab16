import { describe, expect, it } from "vitest";
import type { AnyEvent, JsonObject } from "../../core/event.ts";
import { edits, PROJECT, toolAfter } from "../../testing/events.ts";
import { createSandbox } from "../../testing/sandbox.ts";
import { testPolicy } from "../../testing/test-policy.ts";
import policy from "./comment-checker.ts";

const found = { says: "note", message: "found" } as const;
const file = (name: string): string => `${PROJECT}/${name}`;

/** A Write as the client reports it; `before` is null for a new file. */
function wrote(name: string, content: string, before: string | null = null, more: JsonObject = {}): AnyEvent {
  const type = before === null ? "create" : "update";
  const tool_response = { type, filePath: file(name), content, structuredPatch: [], originalFile: before, ...more };
  return toolAfter("Write", { file_path: file(name), content }, "toolu_1", { tool_response });
}

function edited(name: string, original: string | null, old: string, fresh: string, input: JsonObject = {}): AnyEvent {
  const tool_input = { file_path: file(name), old_string: old, new_string: fresh, ...input };
  const response = { filePath: file(name), oldString: old, newString: fresh, originalFile: original };
  return toolAfter("Edit", tool_input, "toolu_1", { tool_response: response });
}

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `// comment ${at + 1}\nf${at}();`).join("\n");

testPolicy(policy, {
  hit: [
    {
      name: "a comment in a new file",
      event: wrote("src/a.ts", "a();\n// increment the counter\ncounter++;\n"),
      ...found,
      text: "New in src/a.ts, one comment with neither a reason nor a condition nor a reference:\n- line 2 (line): increment the counter\n",
    },
    {
      name: "a comment that an edit adds, with its line in the file",
      event: edited("src/a.ts", "a();\nb();\nc();\n", "c();", "// call c\nc();"),
      ...found,
      text: "- line 3 (line): call c",
    },
    {
      name: "all places of an edit everywhere",
      event: edited("a.ts", "x;\ny;\nx;\n", "x;", "x; // the x", { replace_all: true }),
      ...found,
      text: "2 comments",
    },
    {
      name: "an edit whose file is not reported, without line numbers",
      event: edited("a.ts", null, "c();", "// call c\nc();"),
      ...found,
      text: "- line: call c",
    },
    {
      name: "an edit that the file does not confirm",
      event: edited("a.ts", "something else", "c();", "// call c\nc();"),
      ...found,
      text: "- line: call c",
    },
    {
      name: "several edits of one call",
      event: toolAfter(
        "MultiEdit",
        {
          file_path: file("a.py"),
          edits: [
            { old_string: "a", new_string: "b" },
            { old_string: "b", new_string: "c  # the c" },
          ],
        },
        "toolu_1",
        { tool_response: { originalFile: "a\n" } },
      ),
      ...found,
      text: "- line 1 (line): the c",
    },
    {
      name: "a block",
      event: wrote("a.c", "/* the\n * main */\nmain();"),
      ...found,
      text: "- line 1 (block): the main",
    },
    {
      name: "a docstring",
      event: wrote("a.py", 'def add(a, b):\n    """Add a and b."""\n'),
      ...found,
      text: "- line 2 (docstring): Add a and b.",
    },
    { name: "a separator", event: wrote("a.sh", "ls\n# -------\nls\n"), ...found, text: "- line 2 (line): -------" },
    { name: "a comment of HTML", event: wrote("a.vue", "<!-- the list -->\n<ul></ul>"), ...found, text: "the list" },
    { name: "a comment of SQL", event: wrote("a.sql", "-- all orders\nselect 1"), ...found, text: "all orders" },
    {
      name: "a word of a test in another sentence",
      event: wrote("src/a.ts", "// we then increment it\na++; // the given value"),
      ...found,
      text: "2 comments",
    },
    {
      name: "a sentence with such a word first, in no test",
      event: wrote("src/a.ts", "// then increment it\na++;"),
      ...found,
    },
    { name: "a sentence about a type", event: wrote("a.py", "a = 1  # returns the type: a string\n"), ...found },
    { name: "a note in everyday words", event: wrote("a.ts", "// note the counter\na++;"), ...found },
    {
      name: "a new comment beside one that was there",
      event: wrote("a.ts", "// old\na();\n// new\nb();", "// old\na();\n"),
      ...found,
      text: "one comment with neither a reason nor a condition nor a reference:\n- line 3 (line): new\nRemove",
    },
    {
      name: "twelve of them: ten are listed",
      event: wrote("a.ts", numbered(12)),
      ...found,
      text: "(line): comment 10\n- and 2 more\nRemove",
    },
    { name: "ten of them: all are listed", event: wrote("a.ts", numbered(10)), ...found, text: "comment 10\nRemove" },
    {
      name: "a long one, cut",
      event: wrote("a.ts", `// ${"word ".repeat(50)}\na();`),
      ...found,
      text: `- line 1 (line): ${"word ".repeat(20).trim()}…\n`,
    },
    {
      name: "what the person changed in it before it was written",
      event: wrote("a.ts", "a(); // the a", "a();", { content: "a(); // their a", userModified: true }),
      ...found,
      text: "their a",
    },
    {
      name: "a file outside of the project",
      event: toolAfter("Write", { file_path: "/tmp/a.ts", content: "// the a" }, "t", {
        tool_response: { type: "create", originalFile: null },
      }),
      ...found,
      text: "New in /tmp/a.ts",
    },
    { name: "a shebang that is not in the first line", event: wrote("a.sh", "ls\n\n#!/bin/sh\n"), ...found },
  ],
  pass: [
    { name: "an address in a string", event: wrote("a.ts", 'fetch("http://example.org"); // eslint-disable-line') },
    { name: "an address in a template", event: wrote("a.ts", "fetch(`http://a.example/b`);") },
    { name: "an address in a regular expression", event: wrote("a.js", "const a = /https?:\\/\\/a/;") },
    { name: "an address between tags", event: wrote("a.tsx", "const a = <p>http://example.org</p>;") },
    { name: "a mark in a string", event: wrote("a.py", 'a = "# no"\nb = """\n# no\n"""\n') },
    { name: "a mark in a here-document", event: wrote("a.sh", "cat <<EOF\n# no\nEOF\n") },
    { name: "a mark in a block of YAML", event: wrote("a.yml", "run: |\n  # no\n") },
    { name: "a file that is written anew", event: wrote("a.ts", "// old\nb();\n", "// old\na();\n") },
    { name: "a comment that moves", event: wrote("a.ts", "a();\n  // old\n", "// old\na();\n") },
    {
      name: "a file that is written anew by a client that does not say what was there",
      event: wrote("a.ts", "// old", null, { type: "update" }),
    },
    { name: "an edit beside a comment", event: edited("a.ts", "// old\na();", "a();", "b();") },
    { name: "an edit of a line with a comment", event: edited("a.ts", "a(); // old", "a(); // old", "b(); // old") },
    { name: "an edit inside of a string", event: edited("a.ts", "x(`\nhttp\n`)", "http", "// no") },
    { name: "an edit that removes one", event: edited("a.ts", "// old\na();", "// old\n", "") },
    { name: "a shebang", event: wrote("a.sh", "#!/usr/bin/env bash\nls\n") },
    ...[
      "// eslint-disable-next-line no-console",
      "// eslint-env node",
      "/* eslint no-alert: 0 */",
      "// prettier-ignore",
      "// @ts-ignore",
      "// @ts-expect-error the types are wrong",
      "// ts-nocheck",
      "// biome-ignore lint/a: it is generated",
      "/* c8 ignore next */",
      "/* istanbul ignore else */",
      "/* v8 ignore start */",
      "// coverage: off",
      "//#region Parsing",
      "// endregion",
      '/// <reference types="node" />',
      '/* webpackChunkName: "a" */',
      "// Copyright 2026 Somebody",
      "/* SPDX-License-Identifier: MIT */",
      "// Licensed under the MIT licence.",
      "// TODO remove it",
      "// FIXME: broken",
      "// HACK",
      "// XXX",
      "// NOTE: sorted",
      "// REVIEW this",
      "// todo: remove it",
      "// given",
      "// Arrange",
      "// Act & Assert",
      "// when/then",
      "// Given: a user",
      "//",
      "// --",
      "/** @type {string} */",
      "/** Adds.\n * @param a the first */",
      "// Sorted here, because the server does not.",
      "// The list is sorted, so the first one is the oldest.",
      "// See docs/order.md",
      "// https://example.org/why",
      "// Works around #123.",
      "// PROJ-12",
      "// It must stay the last one.",
      "// We can't wait here.",
      "// Sorted by name.\n// Otherwise two runs differ.",
    ].map((comment) => ({ name: comment, event: wrote("src/a.ts", `${comment}\na();`) })),
    ...[
      "type: ignore",
      "noqa: E501",
      "pyright: basic",
      "ruff: noqa",
      "mypy: ignore-errors",
      "pylint: disable=x",
      "flake8: noqa",
      "pyre-strict",
      "pytype: disable=x",
      "-*- coding: utf-8 -*-",
      "pragma: no cover",
    ].map((comment) => ({ name: `# ${comment}`, event: wrote("a.py", `a = 1  # ${comment}\n`) })),
    ...["// clippy::all", "// allow(dead_code)", "// deny(x)", "// warn(x)", "// forbid(x)"].map((comment) => ({
      name: comment,
      event: wrote("a.rs", `${comment}\nx();`),
    })),
    ...["//nolint:all", "//go:generate x", "//go:build linux", "//go:embed a.txt", "// +build linux"].map(
      (comment) => ({ name: `Go: ${comment}`, event: wrote("a.go", `${comment}\nx()`) }),
    ),
    ...["src/a.test.ts", "test/a.ts", "spec/a.ts", "src/__tests__/a.ts"].map((name) => ({
      name: `a step in ${name}`,
      event: wrote(name, "// given a user who is logged in\na();\n// Then the list is empty\nb();"),
    })),
    { name: "a language without known comments", event: wrote("a.txt", "// the a\n# the b\n-- the c") },
    { name: "a file without an ending", event: wrote("Makefile", "# the a") },
    { name: "a very large file", event: wrote("a.ts", `${"a();\n".repeat(110_000)}// the a`) },
    {
      name: "a response that is no object",
      event: toolAfter("Write", { file_path: file("a.ts"), content: "// a" }, "t", { tool_response: "Error" }),
    },
    {
      name: "edits that are none",
      event: toolAfter("MultiEdit", { file_path: file("a.ts"), edits: ["x"] }, "t", { tool_response: {} }),
    },
    { name: "an edit without a text", event: toolAfter("Edit", { file_path: file("a.ts"), old_string: "a" }, "t") },
    {
      name: "a notebook",
      event: toolAfter("NotebookEdit", { notebook_path: file("a.ipynb"), new_source: "# the a" }, "t"),
    },
    { name: "a call that has not run yet", event: edits(file("a.ts")) },
  ],
});

describe("the list", () => {
  it("has ten comments at most", async () => {
    const sandbox = createSandbox([policy]);
    const { ruling } = await sandbox.send(wrote("a.ts", numbered(40)));
    sandbox.close();
    expect(ruling.notes[0]?.text.match(/^- line/gm)).toHaveLength(10);
    expect(ruling.notes[0]?.text).toContain("- and 30 more");
  });
});
