import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mayAlwaysAct } from '../../base/concurrency/mayAct.ts';
import { Mirrors } from '../../git/mirror.ts';
import { openRepository, type Repository } from '../../git/openRepository.ts';
import { SvcError } from '../../base/errors/errors.ts';

export interface NamedRepository {
  slug: string;
  path: string;
}

export type KnownRepository = NamedRepository & Repository;

/** The readable ones that are git repositories. */
export const openReadableRepositories = (
  repositories: readonly NamedRepository[],
): KnownRepository[] =>
  repositories.flatMap(({ slug, path }) => {
    try {
      return [{ slug, ...openRepository(path) }];
    } catch {
      return [];
    }
  });

/** Among the mirrors of forges: copies of the team's layers, of which all is elsewhere. */
const OVERLAY = 'overlay';

export async function listMirrorRepositories(mirrorsDir: string): Promise<KnownRepository[]> {
  const namedRepositories: NamedRepository[] = [];
  for (const entry of await readdir(mirrorsDir, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory() && entry.name !== OVERLAY)
      namedRepositories.push(
        ...(await new Mirrors({
          dir: join(mirrorsDir, entry.name),
          network: refuseNetwork,
          mayAct: mayAlwaysAct,
        }).all()),
      );
  return openReadableRepositories(namedRepositories);
}

const refuseNetwork = (): never => {
  throw new SvcError('internal', 'Mirrors are only read here.');
};
