import { poolOfState, type QuotaContext, quotaChart, usedAt } from '../../../machines/index.ts';
import type { PoolService } from '../../contract/pools.ts';
import { poolOfId } from '../../domain/credentialPool.ts';
import type { ActorState } from '../../durable/chart.ts';
import type { ActorList } from '../../durable/sqlite/actorList.ts';
import { SvcError } from '../../lib/errors.ts';
import type { Kernel } from '../../records/changes.ts';
import type { Tables } from '../../records/tables.ts';
import type { TypedRows } from '../../records/typedRows.ts';
import type { Pool } from '../../schema/pool.ts';

/** Most pools that are shown: keys are changed, and old ones stay. */
const MOST_POOLS = 200;

export interface PoolServiceDeps {
  kernel: Pick<Kernel, 'submit' | 'state'>;
  actors: Pick<ActorList, 'list'>;
  rows: Pick<TypedRows<Tables>, 'count'>;
  /** Epoch ms. */
  now(): number;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const limitOf = ({ closed }: QuotaContext): Pool['limit'] =>
  closed && {
    kind: closed.kind,
    window: closed.window,
    since: iso(closed.since),
    until: closed.until === null ? null : iso(closed.until),
    ...(closed.error === undefined ? {} : { error: closed.error }),
  };

export const createPoolService = ({ kernel, actors, rows, now }: PoolServiceDeps): PoolService => {
  const viewOf = (state: ActorState): Pool => {
    const context = poolOfState(state);
    const pool = poolOfId(state.id) ?? { kind: 'unknown', origin: 'unknown', account: 'none' };
    return {
      id: state.id,
      ...pool,
      state: String(state.value) as Pool['state'],
      limit: limitOf(context),
      used: context.use === null ? null : usedAt(context.use, now()),
      waiting: rows.count('quota_waits', { pool: state.id }),
    };
  };
  const stateOf = (id: string): ActorState => {
    const state = kernel.state(id);
    if (state?.chart === quotaChart.id) return state;
    throw new SvcError('not-found', `No account has the ID ${id}. GET /accounts lists them.`);
  };
  return {
    pools: () =>
      actors
        .list({ chart: quotaChart.id, limit: MOST_POOLS, offset: 0 })
        .rows.map(({ id }) => viewOf(stateOf(id)))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    async openPool(id) {
      stateOf(id);
      await kernel.submit({ sends: [{ to: id, event: { type: 'quota.opened' } }] });
      return viewOf(stateOf(id));
    },
  };
};
