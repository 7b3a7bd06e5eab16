/** Runs once before all tests: refuses to start a client that could reach anything but this machine. */
import { networkInterfaces } from "node:os";
import { clientUnderTest } from "./client.ts";

export default function requireIsolation(): void {
  const reachable = Object.entries(networkInterfaces())
    .filter(([, addresses]) => addresses?.some((address) => !address.internal))
    .map(([name]) => name);
  if (reachable.length > 0) {
    throw new Error(`Network interfaces other than loopback are up (${reachable.join(", ")}): use \`npm run e2e\``);
  }
  clientUnderTest();
}
