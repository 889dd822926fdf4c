import type { oversightRoutes } from '../../../contract/routes/oversightRoutes.ts';
import type { Handlers } from '../handler.ts';
import { abortWhenClientGone } from '../streams/abortWhenClientGone.ts';

export const oversightHandlers = {
  dryRunGuardrail: ({ body, ctx }, { runner }) =>
    runner.dryRunGuardrail(body, abortWhenClientGone(ctx)),
} satisfies Handlers<typeof oversightRoutes>;
