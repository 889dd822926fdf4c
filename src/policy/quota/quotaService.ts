import { toIsoTime } from '../../base/time/toIsoTime.ts';
import {
  readQuotaContext,
  type QuotaContext,
  quotaChart,
  computeUsedShare,
} from '../../../machines/index.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import { parseQuotaAccountId } from '../../base/agents/credentialPool.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { ActorList } from '../../kernel/sqlite/actorList.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Kernel } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { Pool } from '../../contract/schema/policy/pool.ts';

/** Most accounts that are shown: old ones stay when keys change. */
const MOST_POOLS = 200;

export interface QuotaServiceDeps {
  kernel: Pick<Kernel, 'submit' | 'state'>;
  actors: Pick<ActorList, 'list'>;
  rows: Pick<TypedRows<Tables>, 'count'>;
  now(): number;
}

const toQuotaLimit = ({ closed }: QuotaContext): Pool['limit'] =>
  closed && {
    kind: closed.kind,
    window: closed.window,
    since: toIsoTime(closed.since),
    until: closed.until === null ? null : toIsoTime(closed.until),
    ...(closed.error === undefined ? {} : { error: closed.error }),
  };

export const createQuotaService = ({
  kernel,
  actors,
  rows,
  now,
}: QuotaServiceDeps): Pick<Runner, 'accounts' | 'retryAccount'> => {
  const toView = (state: ActorState): Pool => {
    const context = readQuotaContext(state);
    const account = parseQuotaAccountId(state.id) ?? {
      kind: 'unknown',
      origin: 'unknown',
      account: 'none',
    };
    return {
      id: state.id,
      ...account,
      state: String(state.value) as Pool['state'],
      limit: toQuotaLimit(context),
      used: context.use === null ? null : computeUsedShare(context.use, now()),
      waiting: rows.count('quota_waits', { pool: state.id }),
    };
  };
  const requireState = (id: string): ActorState => {
    const state = kernel.state(id);
    if (state?.chart === quotaChart.id) return state;
    throw new SvcError('not-found', `No account has the ID ${id}. GET /accounts lists them.`);
  };
  return {
    accounts: () =>
      actors
        .list({ chart: quotaChart.id, limit: MOST_POOLS, offset: 0 })
        .rows.map(({ id }) => toView(requireState(id)))
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    async retryAccount({ pool: id }) {
      requireState(id);
      await kernel.submit({ sends: [{ to: id, event: { type: 'quota.opened' } }] });
      return toView(requireState(id));
    },
  };
};
