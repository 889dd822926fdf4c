import type { PoolSessionDeps } from '../session/poolSession.ts';
import type { RunnerCore } from './core.ts';
import { reportFault } from './reportFault.ts';

/** What sessions and turns of chats need of their pools. */
export const poolSessions = ({
  kernel,
  now,
  remote,
  log,
  settings,
}: Pick<RunnerCore, 'kernel' | 'now' | 'remote' | 'log' | 'settings'>): PoolSessionDeps => ({
  kernel,
  now,
  chance: remote.random,
  starts: () => settings.noProgress.starts,
  onError: (err) => reportFault(log, {}, err, 'a pool was not notified'),
});
