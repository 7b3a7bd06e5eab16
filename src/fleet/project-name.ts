import path from "node:path";
import type { Ports } from "../core/ports.ts";

const LONGEST_CONFIG = 65_536;

/**
 * The name of a project that is the same on every machine: its remote repository, such as `example.org/acme/shop`. Undefined
 * for a folder without one, which is then a project of this machine alone.
 */
export function projectName(root: string, { readText }: Pick<Ports, "readText">): string | undefined {
  const config = readText(path.join(root, ".git", "config"), LONGEST_CONFIG);
  const origin = /^\s*\[remote "origin"\]\s*\n((?:(?!\s*\[).*\n?)*)/m.exec(config ?? "")?.[1];
  const url = /^\s*url\s*=\s*(\S+)\s*$/m.exec(origin ?? "")?.[1];
  return url === undefined ? undefined : repositoryName(url);
}

/** Without protocol, person, password and `.git`, so that all ways to one repository have one name. */
export function repositoryName(url: string): string | undefined {
  const [, host, place] = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^:/]+)(?::\d+\/|[:/])(.+)$/i.exec(url) ?? [];
  const isFile = url.startsWith("/") || url.startsWith("file://");
  const name = isFile ? url.replace(/^file:\/\//, "") : host && place && `${host.toLowerCase()}/${place}`;
  return name?.replace(/\/+$/, "").replace(/\.git$/, "") || undefined;
}
