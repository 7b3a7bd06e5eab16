// The platforms that Hookwright knows, and what is known of each. docs/platforms.md is generated from this table.

/**
 * `compiler` builds the client that is published for the platform; without one there is no such package. `emulator` runs
 * the client on another machine. `tested` is what has really been run there, for the page.
 */
export const PLATFORMS = [
  {
    os: "linux",
    cpu: "x64",
    title: "Linux, x64",
    compiler: { program: "x86_64-linux-gnu-gcc", package: "gcc" },
    tested: "tested: everything",
  },
  {
    os: "linux",
    cpu: "arm64",
    title: "Linux, arm64",
    compiler: { program: "aarch64-linux-gnu-gcc", package: "gcc-aarch64-linux-gnu" },
    emulator: { program: "qemu-aarch64-static", package: "qemu-user-static" },
    tested: "the client is tested in an emulator; everything else: built, not tested",
  },
  { os: "linux", title: "Linux, other processors", tested: "built, not tested" },
  { os: "darwin", title: "macOS", tested: "built, not tested" },
  {
    os: "win32",
    title: "Windows",
    note: "The compiled client needs `fork` and Unix sockets, which a C compiler for Windows does not have.",
    tested: "not tested; use WSL, which is Linux",
  },
];

/** The platforms that have a package with a compiled client. */
export const CLIENTS = PLATFORMS.filter(({ compiler }) => compiler !== undefined).map((platform) => ({
  ...platform,
  name: `${platform.os}-${platform.cpu}`,
  packageName: `@hookwright/client-${platform.os}-${platform.cpu}`,
}));
