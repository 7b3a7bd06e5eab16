/** Addresses that only this machine, this network or this cloud account can reach. */
export type PrivateKind = "metadata" | "loopback" | "private" | "link-local" | "internal";

/** The metadata services of clouds, which give a machine's credentials to any program that asks. */
const METADATA_NAMES =
  /^(?:metadata(?:\.google\.internal|\.goog)?|instance-data(?:\.ec2\.internal)?|metadata\.azure\.(?:com|internal)|metadata\.platformequinix\.com|metadata\.packet\.net)$/;
const METADATA_ADDRESSES = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "169.254.0.23",
];
const METADATA_V6 = ["fd00:ec2::254", "fd20:ce::254", "fd00:ec2::23"];
const INTERNAL = /(?:^|\.)(?:internal|local|localdomain|lan|intranet|corp|home\.arpa)$/;
/** Public DNS services that resolve a name to the address written in it. */
const ECHOED = /(?:^|[.-])(\d{1,3}[.-]\d{1,3}[.-]\d{1,3}[.-]\d{1,3})\.(?:nip\.io|sslip\.io|xip\.io)$/;

/** The kind of a private address; undefined for a public one. `URL` normalises every spelling of a number. */
export function privateKind(text: string): PrivateKind | undefined {
  const host = hostOf(text);
  if (host === undefined) return undefined;
  if (METADATA_NAMES.test(host)) return "metadata";
  if (host.startsWith("[")) return kindOfV6(host.slice(1, -1));
  const echoed = ECHOED.exec(host)?.[1]?.replaceAll("-", ".");
  const kind = kindOfV4(echoed ?? host);
  if (kind) return kind;
  if (host === "localhost" || host.endsWith(".localhost") || host === "localtest.me" || host.endsWith(".localtest.me"))
    return "loopback";
  return INTERNAL.test(host) ? "internal" : undefined;
}

export function hostOf(text: string): string | undefined {
  const trimmed = text.trim();
  const whole =
    /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[\w.-]+:\d+(?:\/|$)/.test(trimmed) ? trimmed : `http://${trimmed}`;
  // `URL` normalises numeric hosts only for http-like schemes.
  const read = whole.replace(/^(?:wss?|ftp|gopher|dict|tftp|ldaps?):/i, "http:");
  if (!URL.canParse(read)) return undefined;
  return new URL(read).hostname.replace(/\.+$/, "").toLowerCase();
}

function kindOfV4(host: string): PrivateKind | undefined {
  const parts = host.split(".").map(Number);
  const [a = -1, b = -1] = parts;
  if (parts.length !== 4 || !/^[\d.]+$/.test(host)) return undefined;
  if (METADATA_ADDRESSES.includes(host)) return "metadata";
  if (a === 127 || a === 0) return "loopback";
  if (a === 169 && b === 254) return "link-local";
  if (a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168)) return "private";
  return a === 100 && b >= 64 && b <= 127 ? "private" : undefined;
}

function kindOfV6(address: string): PrivateKind | undefined {
  if (METADATA_V6.includes(address)) return "metadata";
  if (address === "::1" || address === "::") return "loopback";
  const inner = embeddedV4(address);
  if (inner !== undefined) return kindOfV4(inner);
  if (/^fe[89ab]/.test(address)) return "link-local";
  return /^f[cd]/.test(address) ? "private" : undefined;
}

/** The IPv4 address inside an IPv6 one: `::ffff:a9fe:a9fe`, and the translation prefixes `64:ff9b::` and `2002:`. */
function embeddedV4(address: string): string | undefined {
  const [, high, low] =
    /^(?:::ffff:|::ffff:0:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ??
    /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):/.exec(address) ??
    [];
  if (high === undefined || low === undefined) return undefined;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join(".");
}
