import type { Env } from '../../src/host/config/home/env.ts';
import { SvcError } from '../../src/base/errors/errors.ts';

/** Throws SvcError `forbidden` inside an agent's session: these decisions are for people. */
export function refuseInsideSession({ SVC_SESSION_DIR }: Env, what: string): void {
  if (SVC_SESSION_DIR === undefined || SVC_SESSION_DIR === '') return;
  throw new SvcError(
    'forbidden',
    `An agent cannot ${what}: a person does that, in the dashboard or in a terminal of their own. Wait for it with await_event.`,
  );
}
