import fs from "node:fs";

/** The kernel's tables of connections: of sockets for IPv4, and of those for IPv6, which reach IPv4 as well. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** The addresses of the loopback in those tables, as the machine's words of 32 bits. */
const LOOPBACK = ["0100007F", "0000000000000000FFFF00000100007F"];
const ROOT = 0;

/**
 * Does the other end of a connection from this port belong to the same user? Anybody on the machine can connect to a
 * port of it. True where the system does not tell, as there is no such table outside of Linux.
 */
export function isOwnConnection(peerPort: number, ownPort: number, uid: number): boolean {
  const owners = ownersOf(peerPort, ownPort);
  return owners === undefined || owners.some((owner) => owner === uid || owner === ROOT);
}

function ownersOf(peerPort: number, ownPort: number): number[] | undefined {
  const ends = [`:${hex(peerPort)}`, `:${hex(ownPort)}`];
  const owners: number[] = [];
  let isTold = false;
  for (const table of TABLES) {
    for (const line of linesOf(table)) {
      const [, local = "", remote = "", , , , , uid = "", , inode = "0"] = line.trim().split(/\s+/);
      // Our own end is in the same table: a sandbox that shows an empty one tells nothing.
      isTold ||= isEnd(local, ends[1] ?? "");
      // A socket that was closed belongs to nobody and is listed as root's.
      const isPeer = inode !== "0" && isEnd(local, ends[0] ?? "") && isEnd(remote, ends[1] ?? "");
      if (isPeer) owners.push(Number(uid));
    }
  }
  return isTold ? owners : undefined;
}

function isEnd(address: string, port: string): boolean {
  return LOOPBACK.some((host) => address === host + port);
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

function linesOf(file: string): string[] {
  try {
    return fs.readFileSync(file, "utf8").split("\n").slice(1);
  } catch (error) {
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
