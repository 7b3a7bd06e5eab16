import { isObject, type Json } from "../../../core/event.ts";
import type { Config } from "../../../core/settings/config.ts";
import { type DeliverArgs, isWanted, type NotificationOptions } from "../../../domain/notifications/notification.ts";
import type { JobWorld } from "../run-queue.ts";
import { tellDesktop } from "./desktop.ts";
import { exportSpans } from "./export-spans.ts";
import { tellTmux } from "./tmux.ts";
import { callWebhook } from "./webhook.ts";

const POLICY = "notifications/send";

/** Addresses and keys are read when they are used, so that no job holds them. */
async function optionsNow({ personConfig }: JobWorld): Promise<NotificationOptions | undefined> {
  const { policies }: Config = await personConfig();
  const set = policies[POLICY];
  if (set?.mode !== "enforce") return undefined;
  const defaults = {
    for: ["waiting", "failed", "done"],
    subagents: false,
    terminal: false,
    desktop: false,
    tmux: "off",
  };
  return { ...defaults, ...set.options } as unknown as NotificationOptions;
}

/** Delivers one notification to one sink, unless the person has turned that off meanwhile. */
export async function deliver(args: Json, world: JobWorld): Promise<void> {
  const options = await optionsNow(world);
  if (!isObject(args) || !options) return;
  const { sink, notification } = args as unknown as DeliverArgs;
  if (!isWanted(options, notification)) return;
  const { ports, env } = world;
  if (sink === "desktop" && options.desktop) await tellDesktop(notification.text, ports, env);
  else if (sink === "tmux" && options.tmux !== "off") await tellTmux(notification.text, options.tmux, ports, env);
  else if (sink === "webhook" && options.webhook) await callWebhook(notification, options.webhook, ports.now());
}

export async function sendSpans(args: Json, world: JobWorld): Promise<void> {
  const options = await optionsNow(world);
  if (options?.otlp) await exportSpans(args, options.otlp, world.db, world.build());
}
