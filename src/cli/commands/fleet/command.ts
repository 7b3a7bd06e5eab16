import type { CliCommand } from "../../command.ts";

/** Actions that only read, by their words; they are not journalled. */
const READING = /^(?:status|machines|messages|bundle (?:show|verify))$/;

export const fleetCommand: CliCommand = {
  name: "fleet",
  summary: "Connects this machine with others through a PostgreSQL server: task board, claims, policies and journals.",
  usage: "fleet connect [URL] | status | machines | disconnect | migrate URL | bundle ACTION | send | messages",
  details: [
    "  connect [URL]                 connect this machine; with an administrator's URL it gets a role of its own first;",
    "                                without a URL, a connected machine takes another --bundle-key",
    "  status                        is the server reached, what waits to be copied, which policy bundle is in force",
    "  machines                      the machines of the fleet, and when each was last seen",
    "  machines add NAME URL         make a role for another machine, and print the URL that it connects with",
    "  disconnect                    forget the server and the policy bundle; what was shared stays there",
    "  migrate URL                   make or update the tables, as an administrator who may create roles",
    "  bundle publish FILE           sign a configuration with --key, and give it to every machine: it can only tighten",
    "  bundle show                   the bundle in force here",
    "  bundle verify [FILE]          check the bundle in force, or a configuration before you publish it",
    "  send MACHINE TEXT             leave a message for whoever leads on another machine",
    "  messages                      read the messages for this machine; each is shown once",
    "",
    "URL is postgres://ROLE:PASSWORD@HOST:PORT/DATABASE. The password may instead be in --password-file or in PGPASSWORD.",
    "Beyond loopback the connection is encrypted and the server's certificate is checked, by default with the authorities",
    "that Node knows; `sslmode=require` in the URL checks no certificate. What is stored, only you can read.",
    "No decision waits for the server. docs/guides/fleet.md shows how to begin.",
  ].join("\n"),
  allowPositionals: true,
  options: {
    name: {
      type: "string",
      value: "MACHINE",
      description: "connect: the name of this machine (default: its host name).",
    },
    replace: { type: "boolean", description: "connect, machines add: take over the name of a machine that is known." },
    "password-file": { type: "string", value: "FILE", description: "A file with the password of the URL." },
    ca: { type: "string", value: "FILE", description: "Certificates that the server's has to come from." },
    "insecure-plain-text": { type: "boolean", description: "Connect without encryption, also beyond loopback." },
    "bundle-key": {
      type: "string",
      value: "FILE",
      description:
        "connect: the public key of policy bundles (default: the one that the server offers); migrate: offer it.",
    },
    key: { type: "string", value: "FILE", description: "bundle publish: the private key, Ed25519 as PEM." },
    signer: {
      type: "string",
      value: "NAME",
      description: "bundle publish: who signs, for the journals of all machines.",
    },
    url: { type: "string", value: "URL", description: "bundle publish: the URL of a role that may publish." },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  changes: ({ args }) => !READING.test(args.slice(0, args[0] === "bundle" ? 2 : 1).join(" ")) || args[1] === "add",
  async run(context) {
    const { runFleet } = await import("./run.ts");
    return runFleet(context);
  },
};
