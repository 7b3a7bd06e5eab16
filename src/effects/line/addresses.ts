import type { Command } from "../../shell/command.ts";
import { type Effect, effect } from "../effect.ts";

const LOCAL = /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0)(?::|\/|$)/;

export function isLocal(address: string): boolean {
  return LOCAL.test(address);
}

/** Services where one DELETE request removes a whole index, database or project. */
const WHOLE_THINGS = [
  // Elasticsearch, CouchDB, Qdrant, Meilisearch, Consul, RabbitMQ, Weaviate: an index, a database, a collection.
  /:9200\/(?:_all|\*|[\w.*-]+)\/?$/,
  /:5984\/[\w%-]+\/?$/,
  /:6333\/collections\/[^/]+\/?$/,
  /:7700\/indexes(?:\/[^/]+(?:\/documents)?)?\/?$/,
  /:8500\/v1\/kv\/[^?]*\?(?:.*&)?recurse\b/,
  /:15672\/api\/(?:queues|vhosts|exchanges)\/[^?]+$/,
  /:8080\/v1\/schema\/[^/]+\/?$/,
  /^https:\/\/api\.(?:github\.com\/repos\/[^/]+\/[^/]+|heroku\.com\/apps\/[^/]+|cloudflare\.com\/client\/v4\/zones\/[^/]+|digitalocean\.com\/v2\/(?:droplets|databases|volumes|kubernetes\/clusters)\/[^/]+|vercel\.com\/v\d+\/projects\/[^/]+|netlify\.com\/api\/v1\/sites\/[^/]+)\/?$/,
  /^https:\/\/gitlab\.com\/api\/v4\/projects\/[^/]+\/?$/,
];

/** Whether a DELETE request to this address removes a whole index, database or project. */
export function isWholeResource(address: string): boolean {
  return WHOLE_THINGS.some((thing) => thing.test(address));
}

/** The address of a DELETE request that removes a whole index, database or project. */
export function deletedAddress(texts: readonly string[]): string | undefined {
  const address = texts.find(isWholeResource);
  return address !== undefined && texts.some((text) => text.toUpperCase() === "DELETE") ? address : undefined;
}

export function deletedAt(address: string, command: Command): Effect {
  return effect("destroy-infrastructure", command, `deletes what is at ${address}`, { target: address });
}
