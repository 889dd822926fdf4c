import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobContext, jobChart } from '../../../machines/index.ts';
import type { ActorState } from '../../durable/chart.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import type { Turns } from '../../lib/turns.ts';
import type { Settings } from '../../schema/settings.ts';
import { type Forges, type JobRepo, repoOfParams } from '../../providers/forges.ts';
import { openRepository } from '../../git/repository.ts';
import type { OpenStore } from '../../durable/sqlite/openStore.ts';
import type { Runner } from '../../contract/runner.ts';
import { Collector } from './collect.ts';
import type { EndedJob } from './jobFolder.ts';

/** Most sub-runs of a parent. */
const MAX_CHILDREN = 2_000;

export interface GcServiceDeps {
  settings: Pick<Settings, 'home' | 'paths'>;
  store: OpenStore;
  forges: Forges;
  clock: Clock;
  ids: Ids;
  stateOf(jobId: string): ActorState<JobContext>;
  upkeep: Turns;
}

/** Clean-up of what jobs have left on this disk. */
export const createGcService = ({
  settings,
  store,
  forges,
  clock,
  ids,
  stateOf,
  upkeep,
}: GcServiceDeps): Pick<Runner, 'gc'> => {
  const row = (jobId: string) => {
    const found = store.durable.actor(jobId);
    return found?.chart === jobChart.id ? found : undefined;
  };
  const hasEnded = (jobId: string): boolean => row(jobId)?.index.activity === 'ended';
  /**
   * Where a repository is on this disk as it was seen last; what the remote has got since is only
   * kept once more.
   */
  const repositoryOf = async (repo: JobRepo | null): Promise<EndedJob['repository']> => {
    const source =
      repo &&
      (await forges
        .of(repo)
        ?.source(repo.slug, { fresh: false })
        .catch(() => null));
    return source ? { path: source.path, gitDir: openRepository(source.path).gitDir } : null;
  };
  const collector = new Collector({
    workingDir: settings.paths.workingDir,
    tmpDir: tmpdir(),
    mirrorsDir: join(settings.home, 'mirrors'),
    now: () => clock.now(),
    upkeep,
    nextName: () => ids.next(),
    hasEnded,
    standing(jobId) {
      const found = row(jobId);
      return found ? { ended: hasEnded(jobId), since: found.since } : null;
    },
    async job(id, endedAt) {
      const repo = repoOfParams(stateOf(id).context.params);
      const children = store.actors.list({
        chart: jobChart.id,
        parent: id,
        limit: MAX_CHILDREN,
        offset: 0,
      }).rows;
      return {
        id,
        endedAt,
        slug: repo?.slug ?? null,
        repository: await repositoryOf(repo),
        contractsInUse: children.some(({ index }) => index.activity !== 'ended'),
      };
    },
  });
  return { gc: (body) => collector.collect(body) };
};
