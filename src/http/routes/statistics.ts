import { Statistics, StatisticsQuery } from '../../schema/statistics.ts';
import { jsonRoute } from '../route.ts';

/** What happened over time. */
export const statisticsRoutes = [
  jsonRoute({
    name: 'statistics',
    access: 'read',
    method: 'GET',
    path: '/statistics',
    summary:
      'Jobs created and ended by day, outcomes by workflow, what jobs waited for, and tokens, of the last days.',
    query: StatisticsQuery,
    reply: Statistics,
    refusals: [],
    handle: ({ query }, { runner }) => runner.statistics(query),
  }),
];
