import type { ProgramStart } from '../../contract/session/sandbox.ts';

/** Placeholders in a user's own command: `{job}`, the job's folder; `{cwd}`; `{home}`, svc's. */
export type PrefixPlaces = Readonly<Record<'job' | 'cwd' | 'home', string>>;

/** Puts a program behind the user's own command, which confines it. */
export function prefixProgram(
  prefix: readonly string[],
  { program, args }: ProgramStart,
  places: PrefixPlaces,
): ProgramStart {
  const command = prefix.map((word) =>
    word.replace(/\{(job|cwd|home)\}/g, (_, name: keyof PrefixPlaces) => places[name]),
  );
  const [first = program, ...rest] = [...command, program, ...args];
  return { program: first, args: rest };
}
