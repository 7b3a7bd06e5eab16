import { GENERATED_LETTERS } from "../../../shell/expand/temporary-names.ts";

/** The folder for temporary files, which is kept under the name that the old shell has for it. */
const FOLDER = /\$\{env:(?:TEMP|TMP|TMPDIR)\}|\$env:(?:TEMP|TMP|TMPDIR)(?!\w)/gi;
const ASKED_IN_TEXT = /\$\(\[(?:System\.)?IO\.Path\]::GetTempPath\(\)\)[\\/]?/gi;
const ASKED = /\(?\[(?:System\.)?IO\.Path\]::GetTempPath\(\)\)?/gi;
/** Longer values hold more than a name. */
const ASSIGNED = /\$(\w+)[ \t]*=[ \t]*([^;\n{}]{1,400}?)[ \t]*(?=[;\n]|$)/g;
/** A file that is made under a name that nobody had before. */
const NEW_FILE = /^\(?(?:New-TemporaryFile|\[(?:System\.)?IO\.Path\]::GetTempFileName\(\))\)?(?:\.FullName)?$/i;
/** `Join-Path %TEMP% <name>`, also as the folder that is made then. */
const JOINED =
  /^(?:New-Item\s+(?:-(?:ItemType|Type)\s+Directory\s+|-Force\s+|-Path\s+)*\()?Join-Path\s+(?:-Path\s+)?%TEMP%\s+(?:-ChildPath\s+)?(.+?)(?:\)(?:\s+-(?:ItemType|Type)\s+Directory|\s+-Force)*)?$/i;
const IN_TEXT = /^"%TEMP%[\\/]([^"]+)"$/;
const NAME = /^(["']?)([\w][\w.-]*)\1$/;
/** Nobody can know it before: a number of its own, or the time. */
const MADE_UP =
  /\[(?:System\.)?guid\]::NewGuid\(\)|New-Guid|\[(?:System\.)?IO\.Path\]::GetRandomFileName\(\)|Get-Random|\$PID\b|Get-Date/i;
/** As many variables as a text may have for this. */
const MOST = 20;

/**
 * The folder for temporary files by one name, and what the text keeps there in the place of the variables that hold it,
 * where nothing else is ever put into them: `$t = New-TemporaryFile`, `$d = Join-Path $env:TEMP x`.
 */
export function withTemporary(text: string): string {
  let plain = text.replace(FOLDER, "%TEMP%").replace(ASKED_IN_TEXT, "%TEMP%/").replace(ASKED, "%TEMP%");
  for (const [all, name = "", value = ""] of [...plain.matchAll(ASSIGNED)].slice(0, MOST)) {
    const place = placeOf(value, name);
    if (place === undefined) continue;
    const rest = plain.replace(all, "");
    if (isSetAgain(name, rest)) continue;
    plain = rest.replace(
      new RegExp(`[$](?:${name}(?!\\w)|\\{${name}\\})(?:\\.(?:FullName|Path)\\b)?`, "gi"),
      () => place,
    );
  }
  return plain;
}

function placeOf(value: string, name: string): string | undefined {
  if (value === "%TEMP%") return value;
  const own = `%TEMP%/${GENERATED_LETTERS}-${name}`;
  if (NEW_FILE.test(value)) return own;
  const inner = JOINED.exec(value)?.[1] ?? IN_TEXT.exec(value)?.[1];
  if (inner === undefined) return undefined;
  const plain = NAME.exec(inner)?.[2];
  if (plain !== undefined) return plain.includes("..") ? undefined : `%TEMP%/${plain}`;
  return MADE_UP.test(inner) && !inner.includes("..") ? own : undefined;
}

function isSetAgain(name: string, rest: string): boolean {
  const variable = `[$](?:\\w+:)?${name}(?!\\w)`;
  return new RegExp(
    `${variable}(?:\\s*,\\s*[$]\\w+)*\\s*(?:[-+*/%]|\\?\\?)?=|${variable}\\s+in\\b|\\[ref\\]\\s*${variable}|(?:-Name|Variable|-\\w*v|\\b[sn]v)\\s+["']?${name}\\b`,
    "i",
  ).test(rest);
}
