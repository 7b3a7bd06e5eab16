export interface Program {
  readonly program: string;
  /** The Debian package that has it. */
  readonly package: string;
}

export interface Client {
  readonly os: string;
  readonly cpu: string;
  readonly title: string;
  readonly name: string;
  readonly packageName: string;
  readonly compiler: Program;
  readonly emulator?: Program;
}

export const CLIENTS: readonly Client[];
