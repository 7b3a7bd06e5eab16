/** A network namespace with one cable to this one, which can be pulled. Needs root and iproute2. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";

const IP = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].find((file) => fs.existsSync(file)) ?? "";

/** Why there can be no namespace here; empty when there can. */
export const noNamespaces = reasonAgainst();

function reasonAgainst(): string {
  if (IP === "") return "`ip` is missing (iproute2), so no machine gets a network of its own";
  if (process.getuid?.() !== 0) return "only root makes network namespaces, so no machine gets a network of its own";
  try {
    const name = `hw${process.pid % 100_000}try`;
    execFileSync(IP, ["netns", "add", name], { stdio: "pipe" });
    execFileSync(IP, ["netns", "del", name], { stdio: "pipe" });
    return "";
  } catch (error) {
    return `no network namespace can be made here: ${error instanceof Error ? error.message : error}`;
  }
}

/** Different for the test files that run at the same time. */
const NET = 64 + (process.pid % 128);

export class Cable {
  readonly #name: string;
  readonly #near: string;
  /** The address of this side, on which a server listens. */
  readonly address: string;

  constructor(number: number) {
    this.#name = `hw${process.pid % 100_000}n${number}`;
    this.#near = `hw${process.pid % 100_000}v${number}`;
    this.address = `10.${NET}.${number}.1`;
    ip("netns", "add", this.#name);
    ip("link", "add", this.#near, "type", "veth", "peer", "name", "far", "netns", this.#name);
    ip("addr", "add", `${this.address}/30`, "dev", this.#near);
    ip("link", "set", this.#near, "up");
    ip("-n", this.#name, "addr", "add", `10.${NET}.${number}.2/30`, "dev", "far");
    ip("-n", this.#name, "link", "set", "far", "up");
    ip("-n", this.#name, "link", "set", "lo", "up");
  }

  /** What runs a command at the other end. */
  get prefix(): readonly string[] {
    return [IP, "netns", "exec", this.#name];
  }

  /** From now on packets vanish without an answer. */
  pull(): void {
    ip("-n", this.#name, "link", "set", "far", "down");
  }

  plugIn(): void {
    ip("-n", this.#name, "link", "set", "far", "up");
  }

  dispose(): void {
    ip("netns", "del", this.#name);
  }
}

function ip(...args: string[]): void {
  execFileSync(IP, args, { stdio: "pipe" });
}
