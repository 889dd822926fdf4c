import type { MayAct } from '../../base/concurrency/mayAct.ts';
import type { WorkRefs } from '../../contract/forge/workRefs.ts';
import { findRef, type Repository } from '../openRepository.ts';
import { runGit } from '../runGit.ts';
import { takeWork } from './takeWork.ts';

interface DiskAccess {
  mayAct: MayAct;
  /** Runs `act` alone at a repository. Throws SvcError for one that is not known. */
  use<T>(slug: string, act: (repository: Repository) => Promise<T>): Promise<T>;
}

/** Refs of work in progress in repositories on this disk. */
export const createDiskWorkRefs = ({ mayAct, use }: DiskAccess): WorkRefs => ({
  push: (slug, ref, from) =>
    use(slug, async ({ gitDir }) => {
      await mayAct();
      await takeWork({ ...from, gitDir, as: ref });
    }),
  fetch: (slug, ref) =>
    use(slug, async (repository) => ((await findRef(repository, ref)) === undefined ? null : ref)),
  remove: (slug, ref) =>
    use(slug, async ({ gitDir }) => {
      await mayAct();
      await runGit(['--git-dir', gitDir, 'update-ref', '-d', ref]);
    }),
});
