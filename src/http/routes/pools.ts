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
    summary:
      'Retries an account now, for example after its bill is paid: wakes one job as a probe.',
    body: PoolToOpen,
    reply: Pool,
    refusals: ['not-found'],
    handle: ({ body }, { runner }) => runner.openPool(body.pool),
  }),
];
