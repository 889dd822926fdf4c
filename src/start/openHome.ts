import { ensureHome } from '../config/home.ts';
import { readOrMintToken } from '../config/runnerToken.ts';
import { SvcError } from '../lib/errors.ts';
import { createFaultPoints, type FaultPoints } from '../runner/faultPoints.ts';
import { lostState } from '../durable/sqlite/lostState.ts';
import { type OpenStore, openStore } from '../durable/sqlite/openStore.ts';
import type { Start } from './startOptions.ts';

export interface Home {
  /** The runner's own token. */
  token: string;
  store: OpenStore;
  /** Left out where the runner does not kill itself. */
  faultPoints?: FaultPoints;
}

/**
 * Creates the home if it does not exist, and opens its store. Throws SvcError `locked` when another
 * runner holds it, `store-failed` when its state was lost.
 */
export const openHome = async (start: Start): Promise<Home> => {
  const { settings, ids, log, pid, clock, faults } = start;
  await ensureHome(settings);
  const token = await readOrMintToken(settings.paths.tokenFile, ids);
  start.secrets.add([token]);
  const lost = lostState(settings.paths.stateDb, settings.paths.workingDir);
  if (lost?.all) throw new SvcError('store-failed', `${lost.detail}. ${lost.fix}`);
  if (lost !== null) log.error({}, `${lost.detail}. ${lost.fix}`);
  const store = openStore({
    file: settings.paths.stateDb,
    pid,
    now: clock.now(),
    clock: () => clock.now(),
    release: settings.version,
  });
  start.releasers.add('store', () => store.close());
  if (!faults) return { token, store };
  const faultPoints = createFaultPoints(faults, () => process.kill(process.pid, 'SIGKILL'));
  faultPoints.aroundCommits(store.durable);
  return { token, store, faultPoints };
};
