import { Pool, PoolList, PoolToOpen } from '../../schema/pool.ts';
import { jsonRoute } from '../route.ts';

/** The accounts that sessions use, and their limits. */
export const poolRoutes = [
  jsonRoute({
    name: 'pools',
    access: 'read',
    method: 'GET',
    path: '/pools',
    summary:
      'Accounts at the endpoints of models: whether sessions start, which limit holds until when, and how many jobs wait.',
    reply: PoolList,
    refusals: [],
    handle: (_request, { runner }) => runner.pools(),
  }),
  jsonRoute({
    name: 'openPool',
    access: 'write',
    method: 'POST',
    path: '/pools/open',
    summary: 'Tries an account again now, such as when it was paid: one job is woken as the probe.',
    body: PoolToOpen,
    reply: Pool,
    refusals: ['not-found'],
    handle: ({ body }, { runner }) => runner.openPool(body.pool),
  }),
];
