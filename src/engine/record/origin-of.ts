import path from "node:path";
import type { Frame } from "../../core/frame.ts";
import type { Config } from "../../core/settings/config.ts";
import { fingerprint } from "../../core/text/fingerprint.ts";
import type { Origin } from "../../state/origins.ts";
import type { Home } from "../../system/home.ts";
import { homeFolder } from "../../system/user-folders.ts";
import type { WorldSources } from "../decide/world.ts";

type Sources = Pick<WorldSources, "ports" | "policyWorker" | "isResident"> & { readonly home: Home };

/** The circumstances of a decision, for its entry in the journal. */
export function originOf(
  { build, args, env }: Frame,
  notice: string,
  config: Config,
  { home, ports, policyWorker, isResident }: Sources,
): Origin {
  return {
    build,
    config: configHash(config),
    args,
    env,
    notice,
    userHome: env.HOME || homeFolder(),
    home: home.root,
    personConfig: home.config,
    programs: path.dirname(policyWorker),
    tempDir: ports.tempDir,
    uid: ports.uid,
    isResident,
  };
}

const hashes = new WeakMap<Config, string>();

/** The same for the same settings, however they are spread over files. */
export function configHash(config: Config): string {
  const known = hashes.get(config);
  if (known !== undefined) return known;
  const hash = fingerprint(JSON.stringify(config)).slice(0, 16);
  hashes.set(config, hash);
  return hash;
}
