import { loadSettings } from '../config/settings/loadSettings.ts';
import type { ConfigService } from '../config/configService.ts';
import { BUILT_IN_MANIFESTS } from '../../plugins/builtInCatalogue.ts';
import { addGivenSettings } from '../../plugins/givenSettings.ts';
import { readInstalledManifests } from '../../plugins/readInstalledManifests.ts';
import { Wizard } from '../setUp/setUpWizard.ts';
import type { Start } from './startOptions.ts';

export const openSetUp = (
  start: Pick<Start, 'hostEnv' | 'settings' | 'clock' | 'config'>,
  config: ConfigService,
): Wizard =>
  new Wizard({
    hostEnv: start.hostEnv,
    homeDir: start.config.sources.homeDir,
    cwd: null,
    load: () => loadSettings(start.config.sources),
    manifests: async () => [
      ...BUILT_IN_MANIFESTS,
      ...(await readInstalledManifests(start.settings.home)).map(addGivenSettings),
    ],
    config,
    fetch: globalThis.fetch,
    now: start.clock.now,
  });
