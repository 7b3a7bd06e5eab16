export const THEIRS: Readonly<Record<string, string>>;
