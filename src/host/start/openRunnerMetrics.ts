import { statSync } from 'node:fs';
import { readOrMintToken } from '../config/home/runnerToken.ts';
import type { Clock } from '../../base/time/clock.ts';
import { measureFreeSpace } from '../../base/system/files/measureFreeSpace.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import { LastKnown } from '../metrics/lastKnown.ts';
import { type Metrics, openMetricRegistry as openRegistry } from '../metrics/openMetricRegistry.ts';
import {
  createCommitObserver,
  type ProcessObserver,
  timeCommits,
} from '../metrics/createCommitObserver.ts';
import type { RunningRunner } from '../runner/runner.ts';
import type { ForgeView } from '../../contract/schema/forge/forge.ts';
import type { Start } from './startOptions.ts';

const MODELS = { limit: 500, offset: 0 };

export interface OpenMetrics {
  /** Content of metrics.token in the home. */
  token: string;
  read: Metrics['read'];
  begin(): void;
}

/** How long a disk is waited for, ms: one on a network may not answer. */
const DISK_WAIT_MS = 1_000;

const readFileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Counts what happens in the runner from now on. The registry, with its library, is opened once the
 * runner serves: a start does not wait for it, and what has happened until then is counted.
 */
export async function openRunnerMetrics(
  start: Start,
  store: OpenStore,
  runner: RunningRunner,
): Promise<OpenMetrics> {
  const { settings, clock, ids, secrets, log } = start;
  const { home, paths } = settings;
  const token = await readOrMintToken(`${home}/metrics.token`, ids);
  secrets.add([token]);
  let early: ((observer: ProcessObserver) => void)[] | null = [];
  let opening: Promise<Metrics> | undefined;
  let metrics: Metrics | undefined;
  const tell = (act: (observer: ProcessObserver) => void): void => {
    if (metrics) act(metrics.observed);
    else early?.push(act);
  };
  const processObserver: ProcessObserver = {
    sessionStarted: () => tell((to) => to.sessionStarted()),
    sessionEnded: (...facts) => tell((to) => to.sessionEnded(...facts)),
    noteWait: (...facts) => tell((to) => to.noteWait(...facts)),
    noteCommit: (...facts) => tell((to) => to.noteCommit(...facts)),
  };
  const { onCommit, countRunning: running } = createCommitObserver(processObserver);
  runner.onCommit(onCommit);
  timeCommits(store.durable, processObserver, () => performance.now());

  const forges = new LastKnown<readonly ForgeView[]>([], () => runner.forges(), clock);
  const folders = { home, work: paths.workingDir };
  const disks = new LastKnown<Readonly<Record<string, number>>>(
    {},
    () => readInTime(folders, clock),
    clock,
  );
  for (const source of [forges, disks]) {
    void source.begin();
    start.releasers.add('values of metrics', () => source.stop());
  }

  const open = async (): Promise<Metrics> => {
    metrics = await openRegistry({
      version: settings.version,
      now: clock.now,
      jobs: () => store.jobs.groups(),
      slots: () => ({ used: store.actors.slots(), limit: settings.runner.maxConcurrentJobs }),
      models: async () =>
        (await store.costs.read(['provider', 'model'], {}, MODELS)).rows.map(
          ({ keys: [provider, model], calls, unpriced, microUsd, ...sums }) => ({
            provider: provider ?? 'unknown',
            model: model ?? 'unknown',
            calls,
            unpriced,
            microUsd,
            tokens: {
              input: sums.inputTokens,
              output: sums.outputTokens,
              cached_input: sums.cachedInputTokens,
              cache_write: sums.cacheWriteTokens,
              reasoning: sums.reasoningTokens,
            },
          }),
        ),
      forges: () => forges.known,
      listDeprecatedUses: () => runner.health().deprecatedUses,
      sessionsRunning: running,
      stateBytes: () => ({
        database: readFileSize(paths.stateDb),
        wal: readFileSize(`${paths.stateDb}-wal`),
      }),
      countBrokenRows: () => store.broken.countByTable(),
      diskFree: () => disks.known,
    });
    for (const act of early ?? []) act(metrics.observed);
    early = null;
    return metrics;
  };
  const once = (): Promise<Metrics> => (opening ??= open());
  return {
    token,
    read: async () => (await once()).read(),
    begin: () => void once().catch((err: unknown) => log.error({ err }, 'no metrics')),
  };
}

/** Free bytes of the disks of folders; one that cannot be read in time is left out. */
async function readInTime(
  folders: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<Record<string, number>> {
  let cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = clock.at(clock.now() + DISK_WAIT_MS, () => resolve(null));
  });
  const readings = Object.entries(folders).map(async ([name, folder]) => {
    const bytes = await Promise.race([measureFreeSpace(folder).catch(() => null), late]);
    return bytes === null ? [] : [[name, bytes] as const];
  });
  try {
    return Object.fromEntries((await Promise.all(readings)).flat());
  } finally {
    cancel();
  }
}
