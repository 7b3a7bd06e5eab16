// docs/platforms.md, from the table that the clients are built by.
import { PLATFORMS } from "../release/platforms.mjs";
import { code, page, table } from "./markdown.mjs";

export function platformsPage() {
  const rows = PLATFORMS.map(({ title, os, cpu, compiler, note, tested }) => {
    const prebuilt = compiler ? `compiled: ${code(`@hookwright/client-${os}-${cpu}`)}` : "";
    return [
      title,
      prebuilt || (note ? `Node. ${note}` : "compiled by `init` where there is a C compiler, else Node"),
      tested,
    ];
  });
  return page(
    "Platforms",
    "A hook is started by a client: a small compiled program, or the same in JavaScript, which takes longer because each hook",
    "starts Node. `hookwright init` takes the first of these that runs on the machine:",
    "",
    "1. the compiled client of the machine's own package, which npm installs with `hookwright`, and whose hash must be the one",
    "   that `hookwright` was published with;",
    "2. one compiled by `cc`, `gcc` or `clang`;",
    "3. the Node client.",
    "",
    "`hookwright doctor` shows which one is in use.",
    "",
    table(["platform", "client", "tested"], rows),
    "",
    "Node 20.19 and newer, and 22.13 and newer. Node 20 has no SQLite of its own and needs the optional package `libsql`, which npm",
    "fetches; from Node 22 on nothing has to be fetched, so the package also installs without a network. The plugins of the",
    "marketplace need Node 22.13.",
    "",
    "The compiled clients are static and reproducible: the same sources and the same version of the compiler give the same",
    "bytes (`test/build/clients.test.ts`).",
  );
}
