/** The result of one check. A note is information; nothing is wrong. */
export interface DoctorFinding {
  readonly name: string;
  readonly ok: boolean;
  readonly level: "ok" | "note" | "problem";
  readonly detail: string;
  /** What a person can do about it. */
  readonly fix?: string;
}

export function okFinding(name: string, detail: string): DoctorFinding {
  return { name, ok: true, level: "ok", detail };
}

export function noteFinding(name: string, detail: string, fix?: string): DoctorFinding {
  return { name, ok: true, level: "note", detail, ...(fix === undefined ? {} : { fix }) };
}

export function problemFinding(name: string, detail: string, fix: string): DoctorFinding {
  return { name, ok: false, level: "problem", detail, fix };
}
