import net from "node:net";
import { HookwrightError } from "../../../core/errors.ts";

const HIGHEST_PORT = 65_535;
/** A name of a host, which begins and ends with a letter or digit. */
const HOST_NAME = /^(?=.*[a-z])[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Where other machines may reach the dashboard: one address of this machine, never all of them. */
export function listenAddress(given: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain = "", digits] = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d+)$/.exec(given.toLowerCase()) ?? [];
  const host = bracketed ?? plain;
  const isHost = bracketed === undefined ? net.isIPv4(host) || HOST_NAME.test(host) : net.isIPv6(host);
  if (digits === undefined || !isHost || /^[0.:]+$/.test(host)) {
    const example = "such as `192.168.1.20:4443`";
    throw wrong(`\`--listen\` takes one address of this machine and a port, ${example}, not \`${given}\`.`);
  }
  return { host, port: portNumber(digits, "--listen") };
}

export function portNumber(given: string, option: string): number {
  const port = Number(given);
  if (Number.isInteger(port) && port > 0 && port <= HIGHEST_PORT) return port;
  throw wrong(`\`${option}\` takes a port number, not \`${given}\`.`);
}

function wrong(detail: string): HookwrightError {
  return new HookwrightError("HW_USAGE", { detail, command: "dashboard" });
}
