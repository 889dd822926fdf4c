import { toQuotaAccountId } from '../../../src/base/agents/credentialPool.ts';
import { type Met, createCredentialPool } from './endpoint.ts';
import type { Weekend } from './weekend.ts';

/** Between the refusal and its commit, a session may begin whose slot was granted before, ms. */
const GRANTED_MS = 5_000;

/** What the pool of a limit has done while it held, from the moment that it knew of it. */
function listQuotaStates({ world }: Weekend, { account, from, until }: Met) {
  const pool = createCredentialPool(`command:${account}`);
  if (!pool) return [];
  const during = world.store.durable
    .journal(toQuotaAccountId(pool), 0, 100_000)
    .filter(({ at }) => at >= from && at < until);
  // A runner that was killed with the first refusal has to meet the next.
  const hit = during.findIndex(({ event }) => event.type === 'quota.hit');
  return hit < 0 ? [] : during.slice(hit);
}

/**
 * Sessions that began while a limit held: no more than there were probes, and before its pool knew of
 * it no more than there were lives of the runner.
 */
export function startedWhileClosed(weekend: Weekend): string[] {
  const { endpoint, record, world } = weekend;
  return endpoint.met.flatMap((limit) => {
    const steps = listQuotaStates(weekend, limit);
    const knownAt = steps[0]?.at ?? limit.until;
    const during = record.starts.filter(
      ({ account, at }) =>
        account === limit.account && at > limit.from + GRANTED_MS && at < limit.until,
    );
    const early = during.filter(({ at }) => at <= knownAt).length;
    const lives = world.starts.filter(({ at }) => at > limit.from && at <= knownAt).length;
    // A probe that the runner's death has cut off begins again.
    const attempts = new Set(
      during
        .filter(({ at }) => at > knownAt + GRANTED_MS)
        .map(({ jobId, visit, session }) => `${jobId}/${visit}.${session}`),
    ).size;
    const probes = steps.filter(({ path }) => path.at(-1) === 'probing').length;
    const what = `${limit.account}, ${limit.kind}`;
    return [
      ...(attempts <= probes ? [] : [`${what}: ${attempts} sessions for ${probes} probes`]),
      ...(early === 0 || lives > 0
        ? []
        : [`${what}: ${early} sessions, and its pool knows nothing`]),
    ];
  });
}

/** States of a pool that were never entered. */
export const unseenStates = ({ record }: Weekend): string[] =>
  ['open', 'throttled', 'exhausted', 'billing', 'probing', 'waking'].filter(
    (state) => !record.pools.has(state),
  );
