/** A program that formats or checks one file. */
export interface CodeTool {
  readonly name: string;
  readonly program: string;
  readonly args: (file: string) => readonly string[];
  /** Where a project keeps its own copy, below one of its folders. */
  readonly ownFolders: readonly string[];
  /** The file that has to be in the folder of the file, or above it, for the tool to work at all. */
  readonly needs?: string;
  /** What it prints where the project does not use it. */
  readonly isUnused?: RegExp;
}

const NODE = ["node_modules/.bin"];
const PYTHON = [".venv/bin", "venv/bin"];
const SCRIPTS = ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"];

const PRETTIER: CodeTool = {
  name: "prettier",
  program: "prettier",
  args: (file) => ["--write", "--log-level", "warn", file],
  ownFolders: NODE,
};
const BLACK: CodeTool = { name: "black", program: "black", args: (file) => ["--quiet", file], ownFolders: PYTHON };
const GOFMT: CodeTool = { name: "gofmt", program: "gofmt", args: (file) => ["-w", file], ownFolders: [] };
const RUSTFMT: CodeTool = {
  name: "rustfmt",
  program: "rustfmt",
  args: (file) => ["--edition", "2021", file],
  ownFolders: [],
};

const ESLINT: CodeTool = {
  name: "eslint",
  program: "eslint",
  args: (file) => ["--fix", file],
  ownFolders: NODE,
  isUnused: /couldn't find an? (?:eslint\.config|configuration)|no eslint configuration/i,
};
const RUFF: CodeTool = {
  name: "ruff",
  program: "ruff",
  args: (file) => ["check", "--fix", "--quiet", file],
  ownFolders: PYTHON,
};
// Go and Rust are checked by package, so these look at the folder they run in.
const GOLANGCI: CodeTool = {
  name: "golangci-lint",
  program: "golangci-lint",
  args: () => ["run", "."],
  ownFolders: [],
  needs: "go.mod",
};
const CLIPPY: CodeTool = {
  name: "cargo clippy",
  program: "cargo",
  args: () => ["clippy", "--quiet", "--message-format", "short"],
  ownFolders: [],
  needs: "Cargo.toml",
};

const by = (endings: readonly string[], tool: CodeTool) => endings.map((ending) => [ending, tool] as const);

const FORMATTERS: ReadonlyMap<string, CodeTool> = new Map([
  ...by([...SCRIPTS, "json", "css", "scss", "less", "html", "vue"], PRETTIER),
  ...by(["py", "pyi"], BLACK),
  ...by(["go"], GOFMT),
  ...by(["rs"], RUSTFMT),
]);
const LINTERS: ReadonlyMap<string, CodeTool> = new Map([
  ...by([...SCRIPTS, "vue"], ESLINT),
  ...by(["py", "pyi"], RUFF),
  ...by(["go"], GOLANGCI),
  ...by(["rs"], CLIPPY),
]);

/** Which kinds of tools are wanted. */
export interface WantedTools {
  readonly format: boolean;
  readonly lint: boolean;
}

/** The tools for a file of this name: the formatter first, because a linter looks at what it leaves. */
export function toolsFor(file: string, { format, lint }: WantedTools): readonly CodeTool[] {
  const ending = /\.(\w+)$/.exec(file)?.[1] ?? "";
  const found = [format ? FORMATTERS.get(ending) : undefined, lint ? LINTERS.get(ending) : undefined];
  return found.filter((tool) => tool !== undefined);
}
