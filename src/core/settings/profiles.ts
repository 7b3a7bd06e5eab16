/** Names a config or `--profile` may use. */
export const PROFILES = ["safety", "ntm", "plan", "session", "teams", "omc"] as const;
export type ProfileName = (typeof PROFILES)[number];

/** The profiles that are on without any configuration. */
export const DEFAULT_PROFILES: readonly ProfileName[] = ["safety"];

const PACKS: Record<ProfileName, readonly string[]> = {
  safety: ["safety"],
  ntm: ["ntm"],
  plan: ["plan"],
  session: ["session"],
  teams: ["teams"],
  omc: ["modes", "validation", "recovery", "enhancement", "detection", "coordination", "setup"],
};

/** The runtime's own checks, and what a person configures whatever the profile; no profile turns them off. */
const ALWAYS = ["core", "notifications", "permissions"];

export function isProfile(name: string): name is ProfileName {
  return (PROFILES as readonly string[]).includes(name);
}

/** The profile that turns a pack on; undefined for a pack that is always on. */
export function profileWith(pack: string): ProfileName | undefined {
  return PROFILES.find((name) => PACKS[name].includes(pack));
}

export function packsOf(profiles: readonly ProfileName[], isSupplement: boolean = false): ReadonlySet<string> {
  return new Set([...(isSupplement ? [] : ALWAYS), ...profiles.flatMap((name) => PACKS[name])]);
}
