import { describe, expect, it } from "vitest";
import { projectName, repositoryName } from "./project-name.ts";

describe("the name of a repository", () => {
  it.each([
    "git@example.org:acme/shop.git",
    "ssh://git@example.org/acme/shop.git",
    "ssh://git@example.org:2222/acme/shop",
    "https://example.org/acme/shop",
    "https://ada:secret@example.org/acme/shop.git/",
    "https://EXAMPLE.org/acme/shop.git",
    "example.org:acme/shop",
  ])("%s is example.org/acme/shop", (url) => {
    expect(repositoryName(url)).toBe("example.org/acme/shop");
  });

  it.each([
    ["/srv/git/shop.git", "/srv/git/shop"],
    ["file:///srv/git/shop.git", "/srv/git/shop"],
    ["https://example.org/acme/another", "example.org/acme/another"],
    ["", undefined],
  ])("%s is %s", (url, name) => {
    expect(repositoryName(url)).toBe(name);
  });
});

describe("the name of a project", () => {
  const named = (config: string | undefined) => projectName("/p", { readText: () => config });
  it.each([
    ['[core]\n\tbare = false\n[remote "origin"]\n\turl = git@h:a/b.git\n\tfetch = +refs\n[branch "main"]\n', "h/a/b"],
    ['[remote "fork"]\n\turl = git@h:fork/b\n[remote "origin"]\n\tfetch = x\n\turl = git@h:a/b\n', "h/a/b"],
    ['[remote "fork"]\n\turl = git@h:fork/b\n', undefined],
    ['[remote "origin"]\n[branch "x"]\n\turl = git@h:a/b\n', undefined],
    [undefined, undefined],
  ])("in %j is %s", (config, name) => {
    expect(named(config)).toBe(name);
  });
});
