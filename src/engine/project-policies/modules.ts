import module from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

/** What a policy may import besides files of its folder, for the types that its author's editor shows. */
const OWN_PACKAGE = "hookwright";

export interface Sources {
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
}

/**
 * The default export of one file. Its modules are its own: another policy that imports the same helper gets another
 * copy of it, so neither can disturb the other by what it leaves there.
 */
export async function loadDefault(sources: Sources, name: string): Promise<unknown> {
  const known = new Map<string, vm.Module>();

  function find(specifier: string, from: string): vm.Module {
    const target = resolve(specifier, from);
    let found = known.get(target);
    if (!found) {
      found = target === OWN_PACKAGE ? ownPackage() : read(target, `${specifier} is not in the folder`);
      known.set(target, found);
    }
    return found;
  }

  function read(file: string, missing: string): vm.SourceTextModule {
    const text = sources.files.get(file);
    if (text === undefined) throw new Error(missing);
    const full = path.join(sources.folder, file);
    return new vm.SourceTextModule(file.endsWith(".ts") ? withoutTypes(text) : text, {
      identifier: full,
      initializeImportMeta(meta) {
        meta.url = pathToFileURL(full).href;
      },
      importModuleDynamically: (specifier) => ready(find(specifier, file)),
    });
  }

  const link = (specifier: string, from: vm.Module): vm.Module =>
    find(specifier, path.relative(sources.folder, from.identifier));
  async function ready(one: vm.Module): Promise<vm.Module> {
    if (one.status === "unlinked") await one.link(link);
    await one.evaluate();
    return one;
  }

  const root = read(name, `${name} is not in the folder`);
  known.set(name, root);
  await ready(root);
  return "default" in root.namespace ? root.namespace.default : undefined;
}

/** The name of a file in the folder, or our own package's. Everything else is refused. */
function resolve(specifier: string, from: string): string {
  if (specifier === OWN_PACKAGE) return OWN_PACKAGE;
  if (!/^\.\.?\//.test(specifier)) {
    throw new Error(`it imports \`${specifier}\`, and a project's policies may only import files of their own folder`);
  }
  const target = path.posix.join(path.posix.dirname(from), specifier);
  if (target.startsWith("../")) throw new Error(`it imports \`${specifier}\`, which lies outside the folder`);
  return target;
}

function ownPackage(): vm.Module {
  return new vm.SyntheticModule(
    ["policy"],
    function (this: vm.SyntheticModule) {
      this.setExport("policy", (definition: unknown) => definition);
    },
    { identifier: OWN_PACKAGE },
  );
}

function withoutTypes(text: string): string {
  if (!process.features.typescript || typeof module.stripTypeScriptTypes !== "function") {
    throw new Error(`Node ${process.versions.node} cannot run TypeScript by itself; write it in JavaScript`);
  }
  return module.stripTypeScriptTypes(text);
}
