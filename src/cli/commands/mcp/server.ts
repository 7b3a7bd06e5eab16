import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import type * as z from "zod";
import { describe } from "../../../core/errors.ts";

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Does it change nothing? */
  readonly isReadOnly: boolean;
  /** Returns the text of the result. The message of a thrown error is sent to the model. */
  run(args: Record<string, unknown>): Promise<string>;
}

interface ServerParts {
  readonly library: typeof import("./library.ts");
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly input: Readable;
  readonly output: Writable;
  /** Told of messages that cannot be understood; they end nothing. */
  onError(error: Error): void;
}

/** Serves until the input ends, in the protocol's version that the agent begins with: the current one or an older one. */
export async function serveMcp({ library, version, tools, input, output, onError }: ServerParts): Promise<void> {
  const { McpServer, StdioServerTransport, serveStdio } = library;
  const create = () => {
    const server = new McpServer({ name: "hookwright", version });
    for (const tool of tools) {
      const { name, description, isReadOnly } = tool;
      const annotations = { readOnlyHint: isReadOnly, openWorldHint: false };
      server.registerTool(name, { description, inputSchema: tool.input, annotations }, (args) => resultOf(tool, args));
    }
    return server;
  };
  const transport = new StdioServerTransport(input, output);
  const ended = once(input, "close");
  const serving = serveStdio(create, { transport, onerror: onError });
  await ended;
  await serving.close();
}

export async function resultOf(tool: Tool, args: Record<string, unknown>) {
  try {
    return { content: [{ type: "text" as const, text: await tool.run(args) }] };
  } catch (error) {
    return { content: [{ type: "text" as const, text: describe(error) }], isError: true };
  }
}
