import type { Client } from '../../src/api/client/client.ts';
import { ConfigService } from '../../src/host/config/configService.ts';
import { resolveConfigPlace } from '../../src/host/config/home/resolveConfigPlace.ts';
import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import { runOfflineAct } from '../../src/host/audit/offlineActs.ts';
import { summarizeConfigPatch } from '../../src/base/audit/summarizeConfigChanges.ts';
import { SvcError } from '../../src/base/errors/errors.ts';
import { randomIds } from '../../src/base/system/ids/ids.ts';
import type { Io } from '../io.ts';
import { findPackageRoot } from '../findPackageRoot.ts';

/** Who reads and changes the configuration: a runner, or this process where none runs. */
export type ConfigSource = Pick<Client, 'config' | 'updateConfig'>;

/** The file of this home, without a runner. */
export async function openHomeConfig(io: Io): Promise<ConfigSource> {
  const sources = {
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: findPackageRoot(import.meta.url),
  };
  // The catalogue of plugins is loaded only where no runner answers for it.
  const { readPluginSchemas } = await import('../../src/plugins/pluginSchemas.ts');
  const { home } = resolveConfigPlace(sources);
  const schemas = await readPluginSchemas(home);
  const service = new ConfigService({
    sources,
    createDraftName: randomIds.next,
    pluginSettings: schemas.settings,
    checkSettings: schemas.check,
    async checkSchedules(schedules) {
      const { findScheduleErrors } = await import('../../src/jobs/schedules/lintSchedules.ts');
      const { settings } = await loadSettings(sources);
      return findScheduleErrors({ ...settings, schedules }, io.now());
    },
  });
  return {
    config: () => service.read(),
    updateConfig(patch, etag) {
      const target = { keys: summarizeConfigPatch(patch) };
      const act = { at: io.now(), action: 'updateConfig', target };
      return runOfflineAct(home, act, () => service.change(patch, etag ?? null));
    },
  };
}

/** The runner where one answers; the home's own file where none does and none was named. */
export async function selectConfigSource(
  io: Io,
  client: Promise<Client>,
  hasUrl: boolean,
): Promise<ConfigSource> {
  try {
    const runner = await client;
    await runner.health();
    return runner;
  } catch (error) {
    if (hasUrl || !(error instanceof SvcError) || error.code !== 'unreachable') throw error;
    return openHomeConfig(io);
  }
}
