import { Pool, PoolList, PoolToOpen } from '../../../contract/schema/policy/pool.ts';
import { defineJsonRoute } from '../route.ts';

/** The accounts that sessions use, and their limits. */
export const accountRoutes = [
  defineJsonRoute({
    name: 'accounts',
    access: 'read',
    method: 'GET',
    path: '/accounts',
    summary:
      'Accounts at the endpoints of models: whether sessions start, which limit holds until when, and how many jobs wait.',
    reply: PoolList,
    refusals: [],
    handle: (_request, { runner }) => runner.pools(),
  }),
  defineJsonRoute({
    name: 'retryAccount',
    access: 'write',
    method: 'POST',
    path: '/accounts/retry',
    summary:
      'Retries an account now, for example after its bill is paid: wakes one job as a probe.',
    body: PoolToOpen,
    reply: Pool,
    refusals: ['not-found'],
    handle: ({ body }, { runner }) => runner.openPool(body.pool),
  }),
];
