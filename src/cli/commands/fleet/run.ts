import fs from "node:fs";
import { describe, HookwrightError } from "../../../core/errors.ts";
import { nearestName } from "../../../core/text/nearest-name.ts";
import { publicPem, readPublicKey } from "../../../fleet/bundles/signature.ts";
import { addressText, type FleetAddress, readAddress, shownAddress } from "../../../fleet/connection/address.ts";
import { FleetClient } from "../../../fleet/connection/client.ts";
import { assertConnection } from "../../../fleet/connection/files.ts";
import { assertSchema, migrate } from "../../../fleet/schema/migrate.ts";
import { addMachine } from "../../../fleet/schema/roles.ts";
import type { CommandContext } from "../../command.ts";
import { homeOf } from "../../installation/current-build.ts";
import { formatTime } from "../journal/time-format.ts";
import { publishBundle, showBundle, verifyBundle } from "./bundle.ts";
import { connect, disconnect } from "./connect.ts";
import { showMachines, showStatus } from "./show.ts";

export interface FleetCall extends CommandContext {
  /** The words after the action. */
  readonly words: readonly string[];
  /** The fleet's folder in our home. */
  readonly folder: string;
}

interface Action {
  /** What it takes after its name, for the usage error. */
  readonly takes: readonly string[];
  readonly options: readonly string[];
  run(call: FleetCall): Promise<number> | Promise<void>;
}

const SERVER = ["password-file", "ca", "insecure-plain-text"];
const ACTIONS: Readonly<Record<string, Action>> = {
  connect: { takes: ["[URL]"], options: ["name", "replace", "bundle-key", ...SERVER], run: connect },
  status: { takes: [], options: [], run: showStatus },
  machines: { takes: [], options: [], run: showMachines },
  "machines add": { takes: ["NAME", "URL"], options: ["replace", ...SERVER], run: addAnother },
  disconnect: { takes: [], options: [], run: disconnect },
  migrate: { takes: ["URL"], options: ["bundle-key", ...SERVER], run: migrateServer },
  "bundle publish": { takes: ["FILE"], options: ["key", "signer", "url", ...SERVER], run: publishBundle },
  "bundle show": { takes: [], options: [], run: showBundle },
  "bundle verify": { takes: ["[FILE]"], options: [], run: verifyBundle },
  send: { takes: ["MACHINE", "TEXT…"], options: [], run: send },
  messages: { takes: [], options: [], run: readMessages },
};

export async function runFleet(context: CommandContext): Promise<number> {
  const { args, options } = context;
  const [name, words] = splitName(args);
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action) {
    const names = Object.keys(ACTIONS);
    const said =
      name === "" ? "Give an action" : `There is no action \`${name}\`.${nearestName(name, names)} There are`;
    throw usageError(`${said}: ${names.join(", ")}.`);
  }
  const odd = Object.keys(options).find((option) => option !== "json" && !action.options.includes(option));
  if (odd !== undefined) throw usageError(`\`${name}\` does not take --${odd}.`);
  const least = action.takes.filter((one) => !one.startsWith("[")).length;
  const most = action.takes.some((one) => one.endsWith("…")) ? Number.POSITIVE_INFINITY : action.takes.length;
  if (words.length < least || words.length > most) {
    throw usageError(
      `\`${name}\` takes ${action.takes.join(" and ") || "no argument"}, and got ${words.length || "none"}.`,
    );
  }
  return (await action.run({ ...context, words, folder: homeOf(context.env).fleet })) ?? 0;
}

/** Actions such as `bundle show` have two words; `machines` has one or two. */
function splitName(args: readonly string[]): readonly [string, readonly string[]] {
  const two = args.slice(0, 2).join(" ");
  const hasTwo = Object.hasOwn(ACTIONS, two) || args[0] === "bundle";
  return hasTwo && args.length > 1 ? [two, args.slice(2)] : [args[0] ?? "", args.slice(1)];
}

export function usageError(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "fleet" });
}

export function textOption({ options }: Pick<CommandContext, "options">, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function addressIn(call: FleetCall, url: string): FleetAddress {
  return readAddress(url, {
    allowsPlainText: call.options["insecure-plain-text"] === true,
    passwordFile: textOption(call, "password-file"),
    caFile: textOption(call, "ca"),
    env: call.env,
  });
}

/** Does something with a server, and closes the connection whatever comes of it. */
export async function withServer<T>(address: FleetAddress, work: (client: FleetClient) => Promise<T>): Promise<T> {
  const client = new FleetClient(address);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

export function readFile(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new HookwrightError("HW_READ_FAILED", { file, detail: describe(error) }, error);
  }
}

async function migrateServer(call: FleetCall): Promise<void> {
  const address = addressIn(call, call.words[0] ?? "");
  const keyFile = textOption(call, "bundle-key");
  const key = keyFile === undefined ? undefined : publicPem(readPublicKey(readFile(keyFile), keyFile));
  const { from, to } = await withServer(address, async (client) => {
    const migrated = await migrate(client);
    if (key !== undefined) await client.run("offer_bundle_key($1::text)", key);
    return migrated;
  });
  const server = shownAddress(address);
  if (call.options.json) call.out(JSON.stringify({ server, from, to }));
  else call.out(from === to ? `${server} has schema ${to} already.` : `${server}: schema ${from} is now schema ${to}.`);
}

async function addAnother(call: FleetCall): Promise<void> {
  const [name = "", url = ""] = call.words;
  const made = await withServer(addressIn(call, url), async (client) => {
    await assertSchema(client);
    return addMachine(client, name, call.options.replace === true);
  });
  const text = addressText(made);
  if (call.options.json) call.out(JSON.stringify({ machine: name, url: text }));
  else
    call.out(
      `${text}\nRun \`hookwright fleet connect\` with this URL on ${name}. It holds a password and is not shown again.`,
    );
}

async function send(call: FleetCall): Promise<void> {
  const [machine = "", ...text] = call.words;
  const { address } = assertConnection(call.folder);
  const id = await withServer(address, async (client) => {
    const known = await client.rows("SELECT 1 FROM fleet.machines WHERE name = $1::text", machine);
    if (known.length === 0)
      throw new HookwrightError("HW_FLEET_MACHINE", { detail: `There is no machine \`${machine}\`` });
    return client.call<number>("send_message($1::text, $2::text)", machine, text.join(" "));
  });
  call.out(call.options.json ? JSON.stringify({ id, machine }) : `Message ${id} waits for ${machine}.`);
}

async function readMessages(call: FleetCall): Promise<void> {
  const { address } = assertConnection(call.folder);
  interface Message {
    readonly id: number;
    readonly from: string;
    readonly text: string;
    readonly sentAt: number;
  }
  const messages = await withServer(address, (client) => client.call<readonly Message[]>("take_messages()"));
  if (call.options.json) call.out(JSON.stringify({ messages }));
  else if (messages.length === 0) call.out("No new message.");
  for (const { from, text, sentAt } of call.options.json ? [] : messages) {
    call.out(`${formatTime(sentAt)}  ${from}: ${text}`);
  }
}
