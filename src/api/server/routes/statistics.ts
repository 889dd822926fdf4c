import { Statistics, StatisticsQuery } from '../../../contract/schema/api/statistics.ts';
import { defineJsonRoute } from '../route.ts';

/** What happened over time. */
export const statisticsRoutes = [
  defineJsonRoute({
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
