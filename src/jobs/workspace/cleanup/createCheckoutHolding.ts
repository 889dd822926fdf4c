import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { surveyTree } from '../../../git/cleanup/tree.ts';
import type { HeldThing, Holding, Stock } from './holding.ts';
import { type EndedJob, JobFolder, type JobFolderDeps } from './jobFolder.ts';

export interface CheckoutsDeps extends Omit<JobFolderDeps, 'dryRun'> {
  /** Has a folder for each job. */
  workingDir: string;
  /** State of the job; null = no job has this id. `ended`: with everything that belongs to it. */
  findStanding(jobId: string): { ended: boolean; since: number } | null;
  /** Called only for jobs that have ended. */
  job(jobId: string, endedAt: number): Promise<EndedJob>;
}

export const createCheckoutHolding = (deps: CheckoutsDeps): Holding => ({
  async look({ sized, before }) {
    const { workingDir, findStanding: standing } = deps;
    const stock = {
      things: [] as HeldThing[],
      total: 0,
      left: [] as Stock['left'] & object,
      inUse: 0,
    };
    for (const name of (await readdir(workingDir).catch(() => [])).sort()) {
      const path = join(workingDir, name);
      const found = await lstat(path).catch(() => null);
      if (found === null) continue;
      const how = found.isDirectory() ? standing(name) : null;
      if (how === null) {
        const reason = found.isDirectory() ? 'no job has this name' : 'it is not a folder';
        stock.left.push({ jobId: null, path, reason });
        continue;
      }
      const bytes = sized ? (await surveyTree(path)).bytes : 0;
      stock.total += bytes;
      if (how.ended && (sized || how.since <= before))
        stock.things.push({ id: name, since: how.since, bytes });
      else stock.inUse += 1;
    }
    return stock;
  },
  mayGo: deps.hasEnded,
  async remove({ id, since }, dryRun) {
    const path = join(deps.workingDir, id);
    return new JobFolder(path, await deps.job(id, since), { ...deps, dryRun }).clear();
  },
});
