import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { jobChart, type JobContext } from '../../../../machines/index.ts';
import type { Runner } from '../../../contract/runner/runner.ts';
import type { ActorState } from '../../../kernel/chart.ts';
import type { OpenStore } from '../../store/openStore.ts';
import { toCheckoutDir } from '../../../git/checkout.ts';
import { openRepository } from '../../../git/openRepository.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Ids } from '../../../base/system/ids/ids.ts';
import type { Log } from '../../../base/system/log/log.ts';
import type { TaskLock } from '../../../base/concurrency/taskLock.ts';
import { readJobRepo, type Forges, type JobRepo } from '../../../providers/forges.ts';
import type { RowChange } from '../../../contract/records/changes.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import type { Blobs } from '../blobs.ts';
import type { Checkouts } from '../checkouts/checkouts.ts';
import type { Workplace } from '../workplace.ts';
import { Artefacts } from './artefacts.ts';
import { Collector } from './collector.ts';
import { JobFolder, type EndedJob, type JobFolderDeps } from './jobFolder.ts';
import { createArchiveHolding, createLogHolding } from './logHoldings.ts';
import { MirrorsOnDisk } from './mirrorsOnDisk.ts';
import { CleanupSchedule } from './cleanupSchedule.ts';
import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { surveyTree } from '../../../git/cleanup/tree.ts';
import type { HeldThing, Holding, Stock } from './holding.ts';

interface CheckoutsDeps extends Omit<JobFolderDeps, 'dryRun'> {
  /** Has a folder for each job. */
  workingDir: string;
  /** State of the job; null = no job has this id. `ended`: with everything that belongs to it. */
  findStanding(jobId: string): { ended: boolean; since: number } | null;
  /** Called before the folder of an ended job is removed; never rejects. */
  prepareRemoval(jobId: string): Promise<void>;
  /** Called when the folder is gone. */
  release(jobId: string): Promise<void>;
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
      const stats = await lstat(path).catch(() => null);
      if (stats === null) continue;
      const how = stats.isDirectory() ? standing(name) : null;
      if (how === null) {
        const reason = stats.isDirectory() ? 'no job has this name' : 'it is not a folder';
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
    if (!dryRun && deps.hasEnded(id)) await deps.prepareRemoval(id);
    const findings = await new JobFolder(path, await deps.job(id, since), {
      ...deps,
      dryRun,
    }).clear();
    if (!existsSync(path)) await deps.release(id);
    return findings;
  },
});

export interface CleanupServiceDeps {
  settings: Pick<Settings, 'home' | 'paths' | 'retention'>;
  store: OpenStore;
  forges: Forges;
  blobs: Blobs;
  clock: Clock;
  ids: Ids;
  log: Log;
  upkeep: TaskLock;
  writeRows(changes: RowChange[]): Promise<void>;
  readState(jobId: string): ActorState<JobContext>;
  workplace: Pick<Workplace, 'jobDir' | 'hasCheckout' | 'overlay'>;
  checkouts: Pick<Checkouts, 'tearDown' | 'release'>;
}

export interface CleanupService extends Pick<Runner, 'gc' | 'gcSchedule'> {
  schedule: CleanupSchedule;
}

/** Cleans up what jobs have left on this disk, on request and by a schedule. */
export const createCleanupService = (deps: CleanupServiceDeps): CleanupService => {
  const { settings, store, forges, clock, ids, upkeep, readState, writeRows, log } = deps;
  const { checkouts, workplace } = deps;
  const { retention, archiver, rows } = store;
  const mirrorsDir = join(settings.home, 'mirrors');
  const { workingDir } = settings.paths;
  const now = () => clock.now();
  const hasEnded = (jobId: string) => retention.hasFamilyEnded(jobId);
  /**
   * Where a repository is on this disk, without a new fetch; newer remote commits would only be
   * kept twice.
   */
  const findRepository = async (repo: JobRepo | null): Promise<EndedJob['repository']> => {
    const source =
      repo &&
      (await forges
        .findFor(repo)
        ?.source(repo.slug, { fresh: false })
        .catch(() => null));
    return source ? { path: source.path, gitDir: openRepository(source.path).gitDir } : null;
  };
  const folders = createCheckoutHolding({
    workingDir,
    createName: () => ids.next(),
    hasEnded,
    release: (jobId) => checkouts.release(jobId),
    async prepareRemoval(jobId) {
      const repo = readJobRepo(readState(jobId).context.params);
      const absDir = repo && join(workplace.jobDir(jobId), toCheckoutDir(repo.slug));
      if (repo === null || absDir === null || !workplace.hasCheckout(absDir)) return;
      try {
        const { layers } = await workplace.overlay(repo);
        const why = await checkouts.tearDown({ jobId, slug: repo.slug, absDir, layers });
        if (why !== null) log.warn({ jobId, reason: why }, 'a checkout is removed all the same');
      } catch (err) {
        log.warn({ jobId, err }, 'the teardown of a checkout could not be run');
      }
    },
    findStanding(jobId) {
      const actorRow = store.durable.actor(jobId);
      if (actorRow?.chart !== jobChart.id) return null;
      return { ended: hasEnded(jobId), since: actorRow.since };
    },
    async job(id, endedAt) {
      const repo = readJobRepo(readState(id).context.params);
      return { id, endedAt, slug: repo?.slug ?? null, repository: await findRepository(repo) };
    },
  });
  const options = {
    retention,
    archiver,
    stateDb: settings.paths.stateDb,
    archiveDir: join(dirname(settings.paths.stateDb), 'archive'),
  };
  const collector = new Collector({
    upkeep,
    settings,
    tmpDir: tmpdir(),
    mirrorsDir,
    giveBack: () => store.giveBack(),
    now,
    holdings: {
      checkouts: folders,
      logs: createLogHolding(options),
      archives: createArchiveHolding(options),
      artefacts: new Artefacts({
        retention,
        rows,
        writeRows,
        blobs: deps.blobs,
        blobsDir: settings.paths.blobs,
        now,
      }),
      mirrors: new MirrorsOnDisk({ retention, forges, mirrorsDir, workingDir }),
    },
  });
  const schedule = new CleanupSchedule({
    settings,
    rows,
    writeRows,
    clock,
    log,
    upkeep,
    collector,
  });
  return {
    gc: (body) => collector.collect(body),
    gcSchedule: () => schedule.view(),
    schedule,
  };
};
