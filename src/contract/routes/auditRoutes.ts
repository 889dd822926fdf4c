import { AuditLogQuery, RecordedActs } from '../schema/runner/audit.ts';
import type { SomeRoutes } from './route.ts';

export const auditRoutes = {
  audit: {
    access: 'read',
    team: null,
    summary:
      'What people did, newest first: who, from where, what, and on which job. X-Total-Count is the number of entries; Link names the previous and next page.',
    query: AuditLogQuery,
    reply: RecordedActs,
    refusals: [],
  },
} satisfies SomeRoutes;
