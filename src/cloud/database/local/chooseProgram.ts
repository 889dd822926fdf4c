import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import type { PostgresProgram } from './postgresProgram.ts';

/**
 * The program that the data were made with; for new data the first. Throws SvcError `not-possible-now`
 * with the way to move data of another major version.
 */
export async function chooseProgram(
  data: string,
  programs: readonly PostgresProgram[],
): Promise<PostgresProgram> {
  const [newest] = programs;
  if (newest === undefined) throw new SvcError('internal', 'No PostgreSQL was given.');
  if (!existsSync(data)) return newest;
  const major = Number((await readFile(join(data, 'PG_VERSION'), 'utf8')).trim());
  const fitting = programs.find((one) => one.major === major);
  if (fitting !== undefined) return fitting;
  throw new SvcError(
    'not-possible-now',
    `The database in ${data} was made by PostgreSQL ${major}, and this machine has PostgreSQL ${newest.version}. Install PostgreSQL ${major} beside it, and svc uses that. To move the data instead: start PostgreSQL ${major} on this folder and write the data to a file with pg_dumpall, move the folder away, run svc cloud start once for a new one, and read the file with psql.`,
    { data: { found: newest.major, needed: major } },
  );
}
