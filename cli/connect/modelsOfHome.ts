import { loadSettings } from '../../src/config/loadSettings.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { messageOf, SvcError } from '../../src/lib/errors.ts';
import { lacksProgram } from '../../src/lib/lacksProgram.ts';
import type { LintContext } from '../../src/authoring/overlay/readDraft.ts';
import { BUILT_INS } from '../../src/plugins/builtInCatalogue.ts';
import { lacksOf, openBuiltInExecutors } from '../../src/plugins/builtInExecutors.ts';
import type { PluginManifest } from '../../src/schema/plugin.ts';
import { providersOf } from '../../src/authoring/workflows/phaseModel.ts';
import { unknownProvider } from '../../src/tools/unknownProvider.ts';
import type { Io } from '../io.ts';
import { printable } from '../render/printable.ts';
import { packageRoot } from '../packageRoot.ts';
import { declaredServers } from './declaredServers.ts';
import { installedManifests } from '../../src/plugins/installedManifests.ts';

const providers = (installed: readonly PluginManifest[]): string[] =>
  [...BUILT_INS.map(({ manifest }) => manifest), ...installed]
    .filter(({ kind }) => kind === 'executor')
    .flatMap(providersOf);

/** What the configuration of this home says of a workflow. */
type OfHome = Pick<
  LintContext,
  | 'aliases'
  | 'executors'
  | 'servers'
  | 'interactive'
  | 'caps'
  | 'invariants'
  | 'lacksProgram'
  | 'unknownProvider'
>;

/**
 * The model aliases, executors, tool servers, programs, forges and trackers of this home, as its runner would know
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
    const { home, llm, mcp, coachMode, budgets, invariants } = settings;
    const executors = await openBuiltInExecutors({
      clock: systemClock,
      settings: settings.plugins,
    });
    const lacks = lacksOf(() => executors);
    const installed = await installedManifests(home);
    const provided = installed.filter(({ kind }) => kind === 'scm' || kind === 'tracker');
    return {
      aliases: Object.keys(llm.aliases),
      executors: { ids: providers(installed), llm, lacks },
      servers: await declaredServers(mcp, path),
      interactive: coachMode.enabled,
      caps: budgets.caps,
      invariants: [{ from: 'configuration' as const, list: invariants }],
      lacksProgram: lacksProgram(io.env.PATH ?? ''),
      unknownProvider: unknownProvider(provided.map(({ id }) => id)),
    };
  } catch (error) {
    const { errors = [] } = error instanceof SvcError ? error : {};
    const named = errors.map(({ pointer, message }) => `  ${pointer}  ${message}\n`);
    io.err(
      `Model aliases and executors are not checked: ${messageOf(error)}\n${printable(named.join(''))}${errors.length === 0 ? 'svc doctor examines the configuration.\n' : ''}`,
    );
    return {};
  }
}
