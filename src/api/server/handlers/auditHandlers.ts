import type { auditRoutes } from '../../../contract/routes/auditRoutes.ts';
import type { Handlers } from '../handler.ts';

export const auditHandlers = {
  audit: ({ query }, { trail }) => trail.list(query),
} satisfies Handlers<typeof auditRoutes>;
