import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ConfigurationFinding } from "./check-configuration.ts";

/** What code scanning of a forge and editors read: SARIF 2.1.0. Paths are relative to `root` where they are in it. */
export function sarifOf(findings: readonly ConfigurationFinding[], root: string) {
  const rule = {
    id: "HW_CONFIG_INVALID",
    shortDescription: { text: "The configuration of Hookwright has a problem." },
  };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Hookwright", rules: [rule] } },
        originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(root).href}/` } },
        results: findings.map((finding) => ({
          ruleId: rule.id,
          level: finding.level,
          message: { text: finding.text },
          locations: finding.file === undefined ? [] : [{ physicalLocation: placeOf(finding, finding.file, root) }],
        })),
      },
    ],
  };
}

function placeOf({ line, column }: ConfigurationFinding, file: string, root: string) {
  const inside = path.relative(root, file);
  const isInside = !inside.startsWith("..") && !path.isAbsolute(inside);
  const uri = isInside ? { uri: encodeURI(inside), uriBaseId: "SRCROOT" } : { uri: pathToFileURL(file).href };
  return {
    artifactLocation: uri,
    ...(line === undefined ? {} : { region: { startLine: line, ...(column ? { startColumn: column } : {}) } }),
  };
}
