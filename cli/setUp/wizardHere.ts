import { loadSettings } from '../../src/config/loadSettings.ts';
import { BUILT_IN_MANIFESTS } from '../../src/plugins/builtInCatalogue.ts';
import { allSettings } from '../../src/plugins/givenSettings.ts';
import { type SetUpDeps, Wizard } from '../../src/setUp/setUpWizard.ts';
import { installedManifests } from '../../src/plugins/installedManifests.ts';
import type { Io } from '../io.ts';
import { packageRoot } from '../packageRoot.ts';

/** The setup wizard over the configuration of this home, which `config` reads and changes. */
export const wizardHere = (io: Io, home: string, config: SetUpDeps['config']): Wizard =>
  new Wizard({
    hostEnv: io.env,
    homeDir: io.homeDir,
    cwd: io.cwd,
    load: () =>
      loadSettings({
        env: io.env,
        homeDir: io.homeDir,
        flags: {},
        packageRoot: packageRoot(import.meta.url),
      }),
    manifests: async () => [
      ...BUILT_IN_MANIFESTS,
      ...(await installedManifests(home)).map(allSettings),
    ],
    config,
    fetch: io.fetch,
    now: io.now,
  });
