import { createHmac } from "node:crypto";
import type { Notification, NotificationOptions } from "../../../domain/notifications/notification.ts";
import { post, readSecret } from "./post.ts";

/**
 * Posts a notification. The signature covers the time and the body, so that a receiver can refuse both a forged request
 * and an old one that is sent again. The id is the same for every try.
 */
export async function callWebhook(
  notification: Notification,
  { url, secretFile }: NonNullable<NotificationOptions["webhook"]>,
  now: number,
): Promise<void> {
  const key = readSecret(secretFile, "the webhook");
  const body = JSON.stringify(notification);
  const time = String(Math.floor(now / 1000));
  const signature = createHmac("sha256", key).update(`${time}.${body}`).digest("hex");
  const headers = {
    "x-hookwright-id": notification.id,
    "x-hookwright-timestamp": time,
    "x-hookwright-signature": `sha256=${signature}`,
  };
  await post(url, body, headers, "the webhook at");
}
