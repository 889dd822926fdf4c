import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Turns } from '../../lib/turns.ts';
import type { GcBody, GcReply } from '../../schema/gc.ts';
import { clearLeftovers, type LeftoverPlaces } from '../../git/gc/leftovers.ts';
import { type EndedJob, JobFolder, type JobFolderDeps } from './jobFolder.ts';

/** Age of the jobs that are cleared away, where the request does not say: 14 days. */
export const DEFAULT_OLDER_THAN_MS = 14 * 86_400_000;
/** After so long no further folder is begun in a request, ms. */
const REQUEST_MS = 30_000;

export interface CollectDeps
  extends Omit<JobFolderDeps, 'dryRun'>,
    Pick<LeftoverPlaces, 'tmpDir' | 'mirrorsDir'> {
  /** Holds a folder for each job. */
  workingDir: string;
  /** State of the job; null = no job has this id. */
  standing(jobId: string): { ended: boolean; since: number } | null;
  /** Asked for those alone that have ended. */
  job(jobId: string, endedAt: number): Promise<EndedJob>;
  /** Epoch ms. */
  now(): number;
  /** A backup does not meet a cleanup. */
  upkeep: Turns;
}

/** Clears away what jobs that have ended have left on this disk. One request at a time. */
export class Collector {
  readonly #deps: CollectDeps;

  constructor(deps: CollectDeps) {
    this.#deps = deps;
  }

  /** Throws SvcError `not-possible-now` while another request or a backup is under way. */
  collect(body: GcBody): Promise<GcReply> {
    return this.#deps.upkeep.take('a cleanup', () => this.#collect(body));
  }

  async #collect({
    dryRun = false,
    olderThanMs = DEFAULT_OLDER_THAN_MS,
    after,
  }: GcBody): Promise<GcReply> {
    const { workingDir, tmpDir, mirrorsDir, now } = this.#deps;
    const [startedAt, endedBefore] = [now(), now() - olderThanMs];
    const leftovers =
      after === undefined
        ? await clearLeftovers({ tmpDir, mirrorsDir, now: startedAt, dryRun })
        : { removed: [], left: [] };
    const reply: GcReply = {
      dryRun,
      endedBefore: new Date(endedBefore).toISOString(),
      ...leftovers,
      kept: [],
      inUse: 0,
      next: null,
    };
    const names = (await readdir(workingDir).catch(() => []))
      .sort()
      .filter((name) => after === undefined || name > after);
    for (const [index, name] of names.entries()) {
      await this.#folder(name, endedBefore, reply);
      if (now() - startedAt < REQUEST_MS || index === names.length - 1) continue;
      reply.next = name;
      break;
    }
    return reply;
  }

  async #folder(name: string, endedBefore: number, reply: GcReply): Promise<void> {
    const { workingDir, standing, job } = this.#deps;
    const path = join(workingDir, name);
    const found = await lstat(path).catch(() => null);
    if (found === null) return;
    const how = found.isDirectory() ? standing(name) : null;
    if (how === null) {
      reply.left.push({
        jobId: null,
        path,
        reason: found.isDirectory() ? 'no job has this name' : 'it is not a folder',
      });
      return;
    }
    if (!how.ended || how.since > endedBefore) {
      reply.inUse += 1;
      return;
    }
    const cleared = await new JobFolder(path, await job(name, how.since), {
      ...this.#deps,
      dryRun: reply.dryRun,
    }).clear();
    reply.removed.push(...cleared.removed);
    reply.kept.push(...cleared.kept);
    reply.left.push(...cleared.left);
  }
}
