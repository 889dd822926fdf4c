import { poolId } from '../../../src/domain/credentialPool.ts';
import { type Met, poolOf } from './endpoint.ts';
import type { Weekend } from './weekend.ts';

/** Between the refusal and its commit, a session may begin whose slot was granted before, ms. */
const GRANTED_MS = 5_000;

/** How often the pool of a limit has tried, by its journal, while it held. */
function probes({ world }: Weekend, { account, from, until }: Met): number {
  const pool = poolOf(`command:${account}`);
  if (!pool) return 0;
  return world.store.durable
    .journal(poolId(pool), 0, 100_000)
    .filter(({ at, path }) => at > from && at < until && path.at(-1) === 'probing').length;
}

/** Sessions that began while a limit held, and were no probe. */
export function startedWhileClosed(weekend: Weekend): string[] {
  const { endpoint, record } = weekend;
  return endpoint.met.flatMap((limit) => {
    const during = record.starts.filter(
      ({ account, at }) =>
        account === limit.account && at > limit.from + GRANTED_MS && at < limit.until,
    );
    const others = during
      .filter(({ pool }) => pool !== 'probing')
      .map(({ jobId, at, pool }) => `${jobId} at ${new Date(at).toISOString()}, ${pool}`);
    // A probe that the runner's death has cut off begins again.
    const tried = new Set(
      during.map(({ jobId, visit, session }) => `${jobId}/${visit}.${session}`),
    );
    const most = probes(weekend, limit);
    return tried.size <= most
      ? others
      : [...others, `${limit.account}: ${tried.size} sessions for ${most} probes`];
  });
}

/** States of a pool that were never entered. */
export const unseenStates = ({ record }: Weekend): string[] =>
  ['open', 'throttled', 'exhausted', 'billing', 'probing', 'waking'].filter(
    (state) => !record.pools.has(state),
  );
