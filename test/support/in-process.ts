/** The built engine, called in this process the way a client without a daemon calls it in its own. */
import { createRequire } from "node:module";
import path from "node:path";
import type { Reply } from "../../src/core/frame.ts";
import { frameFor } from "./frames.ts";
import { DIST, type World } from "./world.ts";

type DecideFrame = (bytes: Buffer) => Promise<Reply>;

let loaded: DecideFrame | undefined;
let nonces = 0;

function decideFrame(): DecideFrame {
  const client = path.join(DIST, "hook.cjs");
  loaded ??= (createRequire(client)(client) as ClientModule).loadEngine().engine.decideFrame;
  return loaded;
}

interface ClientModule {
  loadEngine(): { readonly engine: { readonly decideFrame: DecideFrame } };
}

/** For tests of what is decided; a test of how an answer travels sends the event through a client instead. */
export function decideHere(
  world: World,
  payload: object,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return decideFrame()(frameFor(world, payload, `in-process-${++nonces}`, args, env));
}
