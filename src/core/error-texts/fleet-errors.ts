/** Errors of fleets; part of the table in errors.ts. */
export const FLEET_ERRORS = {
  HW_FLEET_NONE: {
    text: "This machine is not connected to a fleet.",
    fix: "Run `hookwright fleet connect URL --name MACHINE`; `hookwright fleet --help` says more.",
  },
  HW_FLEET_ADDRESS: {
    text: "The address of the fleet cannot be used: {detail}.",
    fix: "Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, or leave the password out and give --password-file.",
  },
  HW_FLEET_PLAIN_TEXT: {
    text: "The connection to {host} would not be encrypted.",
    fix: "Remove `sslmode={mode}` from the address, or pass --insecure-plain-text if the network between is yours alone.",
  },
  HW_FLEET_UNREACHABLE: {
    text: "The fleet's server {server} did not answer: {detail}.",
    fix: "Decisions go on without it. Check that it runs and can be reached from here; `hookwright fleet status` tries again.",
  },
  HW_FLEET_REFUSED: {
    text: "The fleet's server {server} refused: {detail}.",
    fix: "Check the role, its password and what it may do; `hookwright fleet migrate` sets up what a fleet needs.",
  },
  HW_FLEET_SCHEMA: {
    text: "The fleet's database {server} has schema {found}, and this version needs {wanted}.",
    fix: "Run `hookwright fleet migrate URL` with the administrator's URL; older versions go on working with it.",
  },
  HW_FLEET_MACHINE: {
    text: "{detail}.",
    fix: "A name has 1 to 40 of the characters a-z, 0-9, `.`, `_` and `-`. `hookwright fleet machines` lists those in use.",
  },
  HW_FLEET_FILE: {
    text: "{file} cannot be used: {detail}.",
    fix: "Run `hookwright fleet disconnect`, then `hookwright fleet connect` again.",
  },
  HW_FLEET_BUNDLE: {
    text: "The policy bundle was refused: {detail}.",
    fix: "Nothing was changed; the last good bundle stays in force. Publish a corrected one with a higher revision.",
  },
  HW_FLEET_KEY: {
    text: "{file} is not an Ed25519 key that can be used here: {detail}.",
    fix: "Make one with `openssl genpkey -algorithm ed25519 -out KEYFILE` and keep it on the publisher's machine only.",
  },
  HW_FLEET_BOARD: {
    text: "{root} has no remote repository that names its board in the fleet.",
    fix: "Give the board a name with --board NAME, the same on every machine.",
  },
  HW_FLEET_NO_BOARD: {
    text: "The fleet has no task board `{board}`.",
    fix: "`hookwright swarm init --fleet` makes it.",
  },
} as const;
