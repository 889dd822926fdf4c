import { jobChart } from '../../../machines/index.ts';
import { CoachRuns, dropCountedKeys } from '../config/coachRuns.ts';
import { ConfigService } from '../config/configService.ts';
import { takeUpSettings } from '../config/settings/liveSettings.ts';
import { resolveSettings } from '../config/settings/loadSettings.ts';
import { watchConfigFile } from '../config/file/watchConfig.ts';
import { readAtPath } from '../../base/json/untrusted.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import type { Providers } from './openProviders.ts';
import type { Start } from './startOptions.ts';

const RESTART = 'the configuration has changed; these keys take effect after svc restart';

/** The configuration file of a running runner: changes by people, and svc's count of jobs. */
export const openConfig = (
  start: Start,
  store: OpenStore,
  { plugins, takeUp }: Pick<Providers, 'plugins' | 'takeUp'>,
) => {
  const { settings, clock, log, ids, secrets } = start;
  const config = new ConfigService({
    ...start.config,
    createDraftName: ids.next,
    now: clock.now,
    isLive: true,
    async onConfig(configNow, change) {
      takeUpSettings(settings, resolveSettings(configNow, start.config.sources).settings);
      await takeUp();
      for (const listener of start.settingsListeners) listener();
      const keys = dropCountedKeys(change.live);
      const changedKeys = dropCountedKeys([...change.live, ...change.restart]);
      if (change.byHand)
        start.noteEdit(
          changedKeys.map((key) => [key, readAtPath(configNow, ...key.split('.'))] as const),
        );
      if (keys.length > 0) log.info({ keys }, 'the configuration has changed and is in force');
      if (change.restart.length > 0) log.warn({ keys: change.restart }, RESTART);
    },
    pluginSettings: (id) => plugins.list().find((plugin) => plugin.id === id)?.settings ?? null,
    checkSettings: plugins.checkSettings,
    checkSchedules: (rules) => start.checkSchedules(rules),
    onSecrets: (secretValues) => secrets.add(secretValues),
  });
  const coachRuns = new CoachRuns({
    service: config,
    clock,
    // Of the index alone: a count wakes no job.
    jobs: (offset, limit) => store.actors.newest(jobChart.id, { offset, limit }),
    onError: (err) =>
      log.warn({ err }, 'the job count in the configuration file could not be updated'),
  });
  let mistake = '';
  /** Reads the file; one with a mistake changes nothing, and is reported once. */
  const reload = async (): Promise<void> => {
    try {
      await config.read();
      mistake = '';
    } catch (err) {
      const text = toErrorMessage(err);
      if (text !== mistake)
        log.error({ err }, 'the configuration is not valid; it stays as it was');
      mistake = text;
    }
  };
  const unwatch = watchConfigFile(settings.configFile, { clock, onChange: () => void reload() });
  start.releasers.add('watch of the configuration', unwatch);
  return { config, coachRuns, reload };
};
