import { poolId } from '../../../src/domain/credentialPool.ts';
import { type Met, poolOf } from './endpoint.ts';
import type { Weekend } from './weekend.ts';

/** Between the refusal and its commit, a session may begin whose slot was granted before, ms. */
const GRANTED_MS = 5_000;

/** What the pool of a limit has done while it held, from the moment that it knew of it. */
function known({ world }: Weekend, { account, from, until }: Met) {
  const pool = poolOf(`command:${account}`);
  if (!pool) return [];
  const during = world.store.durable
    .journal(poolId(pool), 0, 100_000)
    .filter(({ at }) => at >= from && at < until);
  // A runner that was killed with the first refusal has to meet the next.
  const hit = during.findIndex(({ event }) => event.type === 'quota.hit');
  return hit < 0 ? [] : during.slice(hit);
}

/** Sessions that began while a limit was known to hold: no more than there were probes. */
export function startedWhileClosed(weekend: Weekend): string[] {
  const { endpoint, record } = weekend;
  return endpoint.met.flatMap((limit) => {
    const steps = known(weekend, limit);
    const [hit] = steps;
    if (hit === undefined) return [];
    const during = record.starts.filter(
      ({ account, at }) =>
        account === limit.account && at > hit.at + GRANTED_MS && at < limit.until,
    );
    // A probe that the runner's death has cut off begins again.
    const tried = new Set(
      during.map(({ jobId, visit, session }) => `${jobId}/${visit}.${session}`),
    );
    const most = steps.filter(({ path }) => path.at(-1) === 'probing').length;
    return tried.size <= most
      ? []
      : [`${limit.account}, ${limit.kind}: ${tried.size} sessions for ${most} probes`];
  });
}

/** States of a pool that were never entered. */
export const unseenStates = ({ record }: Weekend): string[] =>
  ['open', 'throttled', 'exhausted', 'billing', 'probing', 'waking'].filter(
    (state) => !record.pools.has(state),
  );
