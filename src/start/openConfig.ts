import { jobChart } from '../../machines/index.ts';
import { CoachRuns } from '../config/coachRuns.ts';
import { ConfigService } from '../config/configService.ts';
import { takeUpSettings } from '../config/liveSettings.ts';
import { settingsOf } from '../config/loadSettings.ts';
import type { OpenStore } from '../durable/sqlite/openStore.ts';
import type { Providers } from './openProviders.ts';
import type { Start } from './startOptions.ts';

/**
 * The configuration file while the runner runs: what people change in it, and the count of jobs
 * that svc keeps there.
 */
export const openConfig = (
  start: Start,
  store: OpenStore,
  { executors, plugins }: Pick<Providers, 'executors' | 'plugins'>,
) => {
  const { settings, clock, log, ids, secrets } = start;
  /** Executors that are part of svc, and everything that is not. */
  const isLivePlugin = (id: string): boolean =>
    executors.some((executor) => executor.id === id) || (id !== '' && !plugins.isBuiltIn(id));
  const config = new ConfigService({
    ...start.config,
    nextDraft: ids.next,
    now: clock.now,
    isLivePlugin,
    async onConfig(found) {
      takeUpSettings(settings, settingsOf(found, start.config.sources).settings, isLivePlugin);
      await Promise.all(
        executors.map((executor) => executor.takeUp(settings.plugins[executor.id])),
      );
      await plugins.takeUp();
    },
    pluginSettings: (id) => plugins.list().find((plugin) => plugin.id === id)?.settings ?? null,
    onSecrets: (found) => secrets.add(found),
  });
  const coachRuns = new CoachRuns({
    service: config,
    clock,
    // Of the index alone: a count wakes no job.
    jobs: (offset, limit) =>
      store.actors
        .list({ chart: jobChart.id, offset, limit })
        .rows.map(({ createdAt, index }) => ({ createdAt, parent: index.parent })),
    onError: (err) =>
      log.warn({ err }, 'the job count in the configuration file could not be updated'),
  });
  return { config, coachRuns };
};
