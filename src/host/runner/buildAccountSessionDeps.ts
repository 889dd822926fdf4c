import type { QuotaSessionDeps } from '../../sessions/limits/quotaSession.ts';
import type { RunnerCore } from './core.ts';
import { reportFault } from './reportFault.ts';

export const buildAccountSessionDeps = ({
  kernel,
  now,
  remote,
  log,
  settings,
}: Pick<RunnerCore, 'kernel' | 'now' | 'remote' | 'log' | 'settings'>): QuotaSessionDeps => ({
  kernel,
  now,
  chance: remote.random,
  starts: () => settings.noProgress.starts,
  onError: (err) => reportFault(log, {}, err, 'a account was not notified'),
});
