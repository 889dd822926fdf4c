import { loadSettings } from '../../src/config/loadSettings.ts';
import { BUILT_IN_MANIFESTS } from '../../src/plugins/builtInCatalogue.ts';
import { checkAgents } from '../doctor/agents.ts';
import type { Io } from '../io.ts';
import { packageRoot } from '../packageRoot.ts';

/** A command that comes after `svc init`. */
export interface InitStep {
  command: string;
  why: string;
}

/**
 * What is still to do with the configuration as it is now. `install`: what has to be installed for
 * the chosen agent program; null = nothing.
 */
export async function nextSteps(io: Io, install: string | null): Promise<InitStep[]> {
  const { settings } = await loadSettings({
    env: io.env,
    homeDir: io.homeDir,
    flags: {},
    packageRoot: packageRoot(import.meta.url),
  });
  const agents = await checkAgents(settings, io.env);
  const agent = agents.status === 'ok' ? null : (agents.fix ?? null);
  const { forges, plugins } = settings;
  const remote = BUILT_IN_MANIFESTS.filter(({ kind }) => kind === 'scm').map(({ id }) => id);
  const hasRepository =
    Object.keys(forges.local.repos).length > 0 || remote.some((id) => plugins[id] !== undefined);
  return [
    ...(install === null ? [] : [{ command: install, why: 'Installs the agent program.' }]),
    ...(agent === null ? [] : [{ command: agent, why: 'Jobs need an agent program.' }]),
    ...(hasRepository
      ? []
      : [
          {
            command: 'svc config set forges.local.repos.<name> <folder>',
            why: 'For a repository on this disk.',
          },
        ]),
    { command: 'svc doctor', why: 'Checks this machine and the configuration.' },
    { command: 'svc start', why: 'Starts the runner and its dashboard.' },
  ];
}
