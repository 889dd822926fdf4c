import { Report, ReportQuery } from '../../../contract/schema/api/report.ts';
import { defineJsonRoute } from '../route.ts';

/** What happened while no one looked. */
export const reportRoutes = [
  defineJsonRoute({
    name: 'report',
    access: 'read',
    method: 'GET',
    path: '/report',
    summary:
      'What happened since a time: jobs that ended, what was spent of each budget and by each job, what has stopped, why and what continues it, approvals that wait, and accounts of models.',
    query: ReportQuery,
    reply: Report,
    refusals: ['bad-argument'],
    handle: ({ query }, { runner }) => runner.report(query),
  }),
];
