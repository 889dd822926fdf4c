import { join } from 'node:path';
import { loadSettings } from '../../src/config/loadSettings.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { messageOf } from '../../src/lib/errors.ts';
import type { LintContext } from '../../src/authoring/overlay/readDraft.ts';
import { BUILT_INS } from '../../src/plugins/builtInCatalogue.ts';
import { lacksOf, openBuiltInExecutors } from '../../src/plugins/builtInExecutors.ts';
import { installedIds, pluginsDirOf } from '../../src/plugins/install.ts';
import { readPackage } from '../../src/plugins/manifest.ts';
import type { PluginManifest } from '../../src/schema/plugin.ts';
import { providersOf } from '../../src/authoring/workflows/phaseModel.ts';
import type { Io } from '../io.ts';
import { packageRoot } from '../packageRoot.ts';

async function providers(home: string): Promise<string[]> {
  const manifests: PluginManifest[] = BUILT_INS.map(({ manifest }) => manifest);
  const dir = pluginsDirOf(home);
  for (const id of await installedIds(dir)) {
    const found = await readPackage(join(dir, id)).catch(() => null);
    if (found) manifests.push(found.manifest);
  }
  return manifests.filter(({ kind }) => kind === 'executor').flatMap(providersOf);
}

/**
 * The model aliases and executors of this home, as its runner would know them. An invalid
 * configuration is reported and then neither is checked: its errors are not the workflow's.
 */
export async function modelsOfHome(io: Io): Promise<Pick<LintContext, 'aliases' | 'executors'>> {
  const sources = {
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: packageRoot(import.meta.url),
  };
  try {
    const { settings } = await loadSettings(sources);
    const { home, llm } = settings;
    const executors = await openBuiltInExecutors({
      clock: systemClock,
      settings: settings.plugins,
    });
    const lacks = lacksOf(() => executors);
    return {
      aliases: Object.keys(llm.aliases),
      executors: { ids: await providers(home), llm, lacks },
    };
  } catch (error) {
    io.err(`Model aliases and executors are not checked: ${messageOf(error)}\n`);
    return {};
  }
}
