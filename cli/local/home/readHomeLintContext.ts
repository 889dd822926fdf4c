import { loadSettings } from '../../../src/host/config/settings/loadSettings.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../../src/base/errors/errors.ts';
import { createProgramCheck } from '../../../src/base/system/process/createProgramCheck.ts';
import type { LintContext } from '../../../src/workflows/overlay/readDraft.ts';
import { BUILT_INS } from '../../../src/plugins/builtInCatalogue.ts';
import { createLackFinder, openBuiltInExecutors } from '../../../src/plugins/builtInExecutors.ts';
import type { PluginManifest } from '../../../src/contract/schema/runner/plugin.ts';
import { listPhaseProviders } from '../../../src/workflows/definition/resolvePhaseModel.ts';
import { createUnknownProviderExplainer } from '../../../src/executors/tools/catalogue/createUnknownProviderExplainer.ts';
import type { Io } from '../../io.ts';
import { toPrintable } from '../../render/text/toPrintable.ts';
import { findPackageRoot } from '../../findPackageRoot.ts';
import { readInstalledManifests } from '../../../src/plugins/readInstalledManifests.ts';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createServerSource } from '../../../src/workflows/toolServers/serverSource.ts';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { findRepositoryRoot } from '../../render/workflow/locateInRepository.ts';

/** Files in which a repository declares servers; what is under .svc is meant for svc. */
const FILES = ['.mcp.json', '.svc/.mcp.json', '.svc/mcp.json'];

/** Ids of the tool servers a job could have: configured, inherited, or of the repository. */
async function listDeclaredServers(settings: Settings['mcp'], path: string): Promise<string[]> {
  const near = path === '-' ? '.' : path;
  const roots = [findRepositoryRoot(near), resolve(near), dirname(resolve(near))];
  const repo: { path: string; text: string }[] = [];
  for (const root of new Set(roots.filter((one) => one !== null))) {
    for (const file of FILES) {
      const text = await readFile(join(root, file), 'utf8').catch(() => null);
      if (text !== null) repo.push({ path: file, text });
    }
  }
  // A server is declared whether its variables are set or not.
  const source = createServerSource({ settings, env: {}, onSecrets: () => {} });
  const { servers, unusable = [] } = await source.resolve(repo);
  return [...servers, ...unusable].map(({ id }) => id);
}

const listModelProviders = (installedManifests: readonly PluginManifest[]): string[] =>
  [...BUILT_INS.map(({ manifest }) => manifest), ...installedManifests]
    .filter(({ kind }) => kind === 'executor')
    .flatMap(listPhaseProviders);

type HomeLintContext = Pick<
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
 * Model aliases, executors, tool servers, programs, forges and trackers of this home, as its runner
 * would know them. An invalid configuration is reported, and then none of it is checked. `path` is
 * what is linted.
 */
export async function readHomeLintContext(io: Io, path: string): Promise<HomeLintContext> {
  const sources = {
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: findPackageRoot(import.meta.url),
  };
  try {
    const { settings } = await loadSettings(sources);
    const { home, llm, mcp, coachMode, budgets, invariants } = settings;
    const executors = await openBuiltInExecutors({
      clock: systemClock,
      settings: settings.plugins,
    });
    const lacks = createLackFinder(() => executors);
    const installedManifests = await readInstalledManifests(home);
    const providers = installedManifests.filter(({ kind }) => kind === 'scm' || kind === 'tracker');
    return {
      aliases: Object.keys(llm.aliases),
      executors: { ids: listModelProviders(installedManifests), llm, lacks },
      servers: await listDeclaredServers(mcp, path),
      interactive: coachMode.enabled,
      caps: budgets.caps,
      invariants: [{ from: 'configuration' as const, list: invariants }],
      lacksProgram: createProgramCheck(io.env.PATH ?? ''),
      unknownProvider: createUnknownProviderExplainer(providers.map(({ id }) => id)),
    };
  } catch (error) {
    const { errors = [] } = error instanceof SvcError ? error : {};
    const errorLines = errors.map(({ pointer, message }) => `  ${pointer}  ${message}\n`);
    io.err(
      `Model aliases and executors are not checked: ${toErrorMessage(error)}\n${toPrintable(errorLines.join(''))}${errors.length === 0 ? 'svc doctor examines the configuration.\n' : ''}`,
    );
    return {};
  }
}
