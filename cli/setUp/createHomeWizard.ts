import { loadSettings } from '../../src/host/config/settings/loadSettings.ts';
import { BUILT_IN_MANIFESTS } from '../../src/plugins/builtInCatalogue.ts';
import { addGivenSettings } from '../../src/plugins/givenSettings.ts';
import { type SetUpDeps, Wizard } from '../../src/host/setUp/setUpWizard.ts';
import { readInstalledManifests } from '../../src/plugins/readInstalledManifests.ts';
import type { Io } from '../io.ts';
import { findPackageRoot } from '../findPackageRoot.ts';

/** The setup wizard over the configuration of this home, which `config` reads and changes. */
export const createHomeWizard = (io: Io, home: string, config: SetUpDeps['config']): Wizard =>
  new Wizard({
    hostEnv: io.env,
    homeDir: io.homeDir,
    cwd: io.cwd,
    load: () =>
      loadSettings({
        env: io.env,
        homeDir: io.homeDir,
        flags: {},
        packageRoot: findPackageRoot(import.meta.url),
      }),
    manifests: async () => [
      ...BUILT_IN_MANIFESTS,
      ...(await readInstalledManifests(home)).map(addGivenSettings),
    ],
    config,
    fetch: io.fetch,
    now: io.now,
  });
