import path from "node:path";
import type { PolicyContext } from "../../core/policy.ts";
import { below } from "../claims/file-names.ts";
import type { Excerpt } from "./excerpts.ts";
import { foldersUp, isExcluded, type VisitedFile } from "./visited-folders.ts";

const ABOUT = "readme";
const LARGEST = 256 * 1024;
/** A context has no room for more. */
const MOST_TOLD = 2_000;
const NAME = "README.MD";

export interface Readme extends Excerpt {
  /** Without links. */
  readonly real: string;
}

export interface FoundReadmes {
  /** The one nearest to the root first. */
  readonly readmes: readonly Readme[];
  /** Files that are no readable text. */
  readonly unusable: readonly string[];
}

/** A type alias, because facts are JSON. */
type ReadmeText = { readonly isText: boolean; readonly body: string; readonly isCut: boolean };

/** The README files of a touched file's folder and of those above it that are not known yet. */
export function newReadmes(
  place: VisitedFile,
  reader: Pick<PolicyContext, "list" | "info" | "realPath" | "read">,
  isKnown: (real: string) => boolean,
): FoundReadmes {
  const readmes: Readme[] = [];
  const unusable: string[] = [];
  const itself = reader.realPath(place.file);
  const root = reader.realPath(place.project);
  const dir = path.dirname(place.file);
  for (const folder of isExcluded(dir, place) ? [] : foldersUp(dir, place).reverse()) {
    const name = reader.list(folder)?.find((one) => one.toUpperCase() === NAME);
    if (name === undefined) continue;
    const real = reader.realPath(path.join(folder, name));
    // A link may lead out of the project.
    if (real === itself || below(root, real) === undefined || isKnown(real)) continue;
    const file = path.relative(place.project, path.join(folder, name));
    const says = reader.read.text(real, ABOUT, textOf, LARGEST);
    if (says?.isText) {
      if (says.body !== "") readmes.push({ real, file, text: says.body, isCut: says.isCut });
    } else if (says !== undefined || reader.info(real)?.kind === "file") unusable.push(file);
  }
  return { readmes, unusable };
}

function textOf(text: string): ReadmeText {
  const body = text.replace(/^\uFEFF/, "").trim();
  return { isText: !text.includes("\uFFFD"), body: body.slice(0, MOST_TOLD), isCut: body.length > MOST_TOLD };
}
