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
import { declaredServers } from './declaredServers.ts';
import { lacksProgram } from './programs.ts';

async function providers(home: string): Promise<string[]> {
  const manifests: PluginManifest[] = BUILT_INS.map(({ manifest }) => manifest);
  const dir = pluginsDirOf(home);
  for (const id of await installedIds(dir)) {
    const found = await readPackage(join(dir, id)).catch(() => null);
    if (found) manifests.push(found.manifest);
  }
  return manifests.filter(({ kind }) => kind === 'executor').flatMap(providersOf);
}

/** What the configuration of this home says of a workflow. */
type OfHome = Pick<
  LintContext,
  'aliases' | 'executors' | 'servers' | 'interactive' | 'lacksProgram'
>;

/**
 * The model aliases, executors, tool servers and programs of this home, as its runner would know
 * them. An invalid configuration is reported and then none is checked: its errors are not the
 * workflow's. `path` is what is linted.
 */
export async function modelsOfHome(io: Io, path: string): Promise<OfHome> {
  const sources = {
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: packageRoot(import.meta.url),
  };
  try {
    const { settings } = await loadSettings(sources);
    const { home, llm, mcp, coachMode } = settings;
    const executors = await openBuiltInExecutors({
      clock: systemClock,
      settings: settings.plugins,
    });
    const lacks = lacksOf(() => executors);
    return {
      aliases: Object.keys(llm.aliases),
      executors: { ids: await providers(home), llm, lacks },
      servers: await declaredServers(mcp, path),
      interactive: coachMode.enabled,
      lacksProgram: lacksProgram(io.env.PATH ?? ''),
    };
  } catch (error) {
    io.err(`Model aliases and executors are not checked: ${messageOf(error)}\n`);
    return {};
  }
}
