import type { ProgramStart } from '../../contract/session/sandbox.ts';

/** What a command of the user's own may name: `{job}`, the folder of the job; `{cwd}`; `{home}`, svc's. */
export type PrefixPlaces = Readonly<Record<'job' | 'cwd' | 'home', string>>;

/** A program behind a command of the user's own, which confines it as the user sees fit. */
export function prefixProgram(
  prefix: readonly string[],
  { program, args }: ProgramStart,
  places: PrefixPlaces,
): ProgramStart {
  const filled = prefix.map((word) =>
    word.replace(/\{(job|cwd|home)\}/g, (_, name: keyof PrefixPlaces) => places[name]),
  );
  const [first = program, ...rest] = [...filled, program, ...args];
  return { program: first, args: rest };
}
